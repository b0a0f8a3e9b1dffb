using System;
using System.IO;
using System.Linq;
using System.Reflection;

namespace Tare
{
    /// <summary>Starts the benchmarks of an assembly that has no `Main` for them: `dotnet Tare.dll X.dll ARGUMENTS`.</summary>
    internal static class StartOfLibrary
    {
        private static int Main(string[] arguments)
        {
            if (arguments.Length == 0)
            {
                Ahead.Serve();
                Console.Error.WriteLine("error: no assembly is named: `dotnet Tare.dll NAME.dll`");
                return 2;
            }
            var assembly = Assembly.Load(new AssemblyName(Path.GetFileNameWithoutExtension(arguments[0])));
            return BenchmarkSwitcher.FromAssembly(assembly).Run(arguments.Skip(1).ToArray()).ExitCode;
        }
    }
}
