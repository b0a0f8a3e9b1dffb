// Which runtime this is, and its settings that change what is measured.

using System;
using System.Collections;
using System.Linq;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;

namespace Tare
{
    internal static class Runtime
    {
        private static readonly Type Mono = Type.GetType("Mono.Runtime");

        internal static readonly bool IsMono = Mono != null;

        /// <summary>The runtime whose compiler keeps values in registers and optimises at once where it is asked to.</summary>
        internal static readonly bool IsCoreClr = Mono == null && Environment.Version.Major >= 3 && typeof(object).Assembly.GetName().Name == "System.Private.CoreLib";

        internal static string Name
        {
            get
            {
                var display = Mono?.GetMethod("GetDisplayName", BindingFlags.NonPublic | BindingFlags.Static)?.Invoke(null, null);
                if (display != null)
                {
                    return "Mono " + display.ToString().Split(' ')[0];
                }
                // .NET Core 3.1 says the version of its build, which nobody knows.
                var isCore = IsCoreClr && Environment.Version.Major < 5;
                return isCore ? ".NET Core " + Environment.Version : RuntimeInformation.FrameworkDescription;
            }
        }

        /// <summary>What of the collector and the compiler is not as it comes.</summary>
        internal static string Settings
        {
            get
            {
                var collector = GCSettings.IsServerGC ? "server GC" : GCSettings.LatencyMode == GCLatencyMode.Batch ? "non-concurrent GC" : null;
                bool IsSetting(string name) => (name.StartsWith("COMPlus_", StringComparison.OrdinalIgnoreCase)
                        || name.StartsWith("DOTNET_T", StringComparison.OrdinalIgnoreCase) || name.StartsWith("DOTNET_gc", StringComparison.OrdinalIgnoreCase)
                        || name.StartsWith("DOTNET_ReadyToRun", StringComparison.OrdinalIgnoreCase))
                    && name.IndexOf("telemetry", StringComparison.OrdinalIgnoreCase) < 0;
                var settings = Environment.GetEnvironmentVariables().Cast<DictionaryEntry>().Where(e => IsSetting((string)e.Key))
                    .Select(e => e.Key + "=" + e.Value).OrderBy(text => text, StringComparer.Ordinal);
                var all = new[] { collector }.Where(text => text != null).Concat(settings).ToList();
                return all.Count == 0 ? null : string.Join(" ", all);
            }
        }
    }
}
