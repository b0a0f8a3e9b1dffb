// Which language benchmarks are written in.

using System;
using System.Collections.Generic;

namespace Tare
{
    internal static class Language
    {
        /// <summary>Of the assembly of the first class. The compiler of F# leaves a mark; where `tare` builds a project of Visual Basic, it does (`Tare.targets`).</summary>
        internal static string Of(IReadOnlyList<Type> types)
        {
            if (types.Count > 0)
            {
                foreach (var attribute in types[0].Assembly.GetCustomAttributesData())
                {
                    var arguments = attribute.ConstructorArguments;
                    switch (attribute.AttributeType.Name)
                    {
                        case "FSharpInterfaceDataVersionAttribute":
                            return "f#";
                        case "AssemblyMetadataAttribute" when arguments.Count == 2 && "Tare.Language".Equals(arguments[0].Value):
                            return arguments[1].Value as string;
                    }
                }
            }
            return "c#";
        }
    }
}
