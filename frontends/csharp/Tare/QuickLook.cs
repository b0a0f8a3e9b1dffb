// Without `tare`: a table from this one process, which says how it was made.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Tare
{
    internal static class QuickLook
    {
        private const double BatchNs = 1e6;
        private const double WarmUpNs = 3e8;
        private const int Batches = 21;

        /// <summary>Measures each benchmark for a moment; gives the exit code.</summary>
        internal static int Show(IReadOnlyList<Benchmark> benchmarks)
        {
            var failures = 0;
            string group = null;
            var width = benchmarks.Count == 0 ? 0 : benchmarks.Max(b => Title(b).Length) + 2;
            foreach (var benchmark in benchmarks)
            {
                if (group != benchmark.Group)
                {
                    group = benchmark.Group;
                    Console.WriteLine(group.PadRight(width) + "        time  allocated");
                }
                try
                {
                    Console.WriteLine("  " + Title(benchmark).PadRight(width - 2) + Measured(benchmark));
                }
                catch (StepException thrown)
                {
                    failures++;
                    Console.WriteLine("  " + Title(benchmark).PadRight(width - 2) + thrown.Step + " threw " + thrown.InnerException.GetType().Name + ": " + thrown.Message);
                }
                catch (DeclarationException wrong)
                {
                    failures++;
                    Console.WriteLine("  " + Title(benchmark).PadRight(width - 2) + wrong.Message);
                }
            }
            Console.Error.WriteLine();
            Console.Error.WriteLine("note: a quick look in one process; `tare` gives intervals, verdicts and comparisons");
            var diagnosers = benchmarks.SelectMany(b => b.Diagnosers).Distinct().ToList();
            if (diagnosers.Count > 0)
            {
                Console.Error.WriteLine("note: diagnosers run only with `tare`, so these columns are missing: " + string.Join(", ", diagnosers));
            }
            Console.Error.WriteLine("hint: install it (`cargo install --path crates/cli` in a clone of Tare), and run this program again");
            return failures == 0 ? 0 : 1;
        }

        private static string Title(Benchmark benchmark)
        {
            return benchmark.Name + string.Concat(benchmark.Parameters.Select(p => " " + p.Name + "=" + p.Text));
        }

        private static string Measured(Benchmark benchmark)
        {
            if (benchmark.Invalid != null)
            {
                throw new DeclarationException(benchmark.Invalid);
            }
            var opened = new Opened(benchmark, 0);
            var isOnce = benchmark.IterationSetups.Count + benchmark.IterationCleanups.Count > 0;
            double spent = 0, each = 1;
            long invocations = 1;
            while (spent < WarmUpNs)
            {
                each = Batch(opened, invocations, out _) / invocations;
                spent += Math.Max(each * invocations, 1e3);
                invocations = isOnce ? 1 : (long)Math.Max(1, Math.Min(BatchNs / Math.Max(each, 0.01), invocations * 10.0));
            }
            var times = new double[Batches];
            double bytes = 0;
            for (var i = 0; i < Batches; i++)
            {
                times[i] = Batch(opened, invocations, out bytes) / invocations;
            }
            var overheads = Enumerable.Range(0, Batches).Select(_ => Overhead(opened, invocations)).OrderBy(t => t).ToArray();
            Array.Sort(times);
            opened.CleanUp();
            var operations = benchmark.Attribute.OperationsPerInvoke;
            var empty = overheads[Batches / 2];
            var net = times[Batches / 2] - empty;
            var time = net <= empty / 2 ? "< " + Time((net > 0 ? net + empty : empty) / operations) : Time(net / operations);
            var allocated = bytes / invocations / operations;
            return time.PadLeft(12) + (allocated < 0.5 ? "-" : allocated.ToString("0", CultureInfo.InvariantCulture) + " B").PadLeft(11);
        }

        private static double Batch(Opened opened, long invocations, out double bytes)
        {
            opened.IterationSetUp();
            var before = Memory.HasAllocated ? Memory.Allocated() : 0;
            var begin = Clock.Now();
            try
            {
                opened.Loop.Workload(opened.Loop.State, invocations);
            }
            catch (Exception thrown)
            {
                throw new StepException("body", thrown);
            }
            var ns = Clock.Ns(Clock.Now() - begin);
            bytes = Memory.HasAllocated ? Memory.Allocated() - before : 0;
            opened.IterationCleanUp();
            return ns;
        }

        private static double Overhead(Opened opened, long invocations)
        {
            var begin = Clock.Now();
            opened.Loop.Overhead(opened.Loop.State, invocations);
            return Clock.Ns(Clock.Now() - begin) / invocations;
        }

        private static string Time(double ns)
        {
            var units = new[] { "ns", "µs", "ms", "s" };
            var unit = 0;
            while (ns >= 1000 && unit < units.Length - 1)
            {
                ns /= 1000;
                unit++;
            }
            return ns.ToString(ns >= 100 ? "0" : ns >= 10 ? "0.0" : "0.00", CultureInfo.InvariantCulture) + " " + units[unit];
        }
    }
}
