// Without `tare`: each body runs once.

using System;
using System.Collections.Generic;
using System.Linq;

namespace Tare
{
    internal static class EachOnce
    {
        /// <summary>Runs the body of each benchmark once; gives the exit code.</summary>
        internal static int Run(IReadOnlyList<Benchmark> benchmarks)
        {
            var failures = 0;
            foreach (var benchmark in benchmarks)
            {
                var title = benchmark.Group + "." + benchmark.Name + string.Concat(benchmark.Parameters.Select(p => " " + p.Name + "=" + p.Text));
                string why = null;
                try
                {
                    RunOne(benchmark);
                }
                catch (StepException thrown)
                {
                    why = thrown.Step + " threw " + thrown.InnerException.GetType().Name + ": " + thrown.Message;
                }
                catch (DeclarationException wrong)
                {
                    why = wrong.Message;
                }
                failures += why == null ? 0 : 1;
                Console.WriteLine(title + "  " + (why == null ? "ran" : "failed: " + why));
            }
            Console.Error.WriteLine("hint: `tare` on the PATH measures them; `cargo install --path crates/cli` in a clone of Tare installs it");
            return failures == 0 ? 0 : 1;
        }

        private static void RunOne(Benchmark benchmark)
        {
            if (benchmark.Invalid != null)
            {
                throw new DeclarationException(benchmark.Invalid);
            }
            var opened = new Opened(benchmark, 0);
            opened.Check();
            opened.CleanUp();
        }
    }
}
