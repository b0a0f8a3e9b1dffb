// Which language benchmarks are written in.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Tare
{
    internal static class Language
    {
        /// <summary>Of the assembly of the first class: the compilers of F# and Visual Basic leave traces, that of C# none.</summary>
        internal static string Of(IReadOnlyList<Type> types)
        {
            var assembly = types.Count > 0 ? types[0].Assembly : null;
            foreach (var name in assembly?.GetReferencedAssemblies() ?? new AssemblyName[0])
            {
                // Code in C# may use either library.
                if (name.Name == "FSharp.Core" && assembly.GetCustomAttributesData().Any(a => a.AttributeType.Name == "FSharpInterfaceDataVersionAttribute"))
                {
                    return "f#";
                }
                if (name.Name.StartsWith("Microsoft.VisualBasic", StringComparison.Ordinal) && assembly.DefinedTypes.Any(IsOfEveryProject))
                {
                    return "vb";
                }
            }
            return "c#";
        }

        /// <summary>The compiler of Visual Basic gives every project a namespace `My`.</summary>
        private static bool IsOfEveryProject(TypeInfo type)
        {
            return (type.Name == "MyProject" || type.Name == "MyApplication" || type.Name == "InternalXmlHelper") && (type.Namespace ?? string.Empty).EndsWith("My", StringComparison.Ordinal);
        }
    }
}
