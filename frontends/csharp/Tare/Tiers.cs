// The runtime compiles in steps: quickly at first, and again what was called often, once nothing new was compiled for a while.

using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Tare
{
    /// <summary>Waits for the compiler, off the processor, and knows whether there may be more to wait for.</summary>
    internal sealed class Tiers
    {
        private const int PollMs = 5;
        private const int RestMaxMs = 800;

        // Nothing was compiled for so long.
        private const int QuietMs = 20;

        // Newer runtimes compile twice: what shows how to compile, and then the rest.
        private const int RestsMax = 8;

        // Calls are counted when nothing was called for the first time for a while: what was called when the process was young says
        // nothing of a body that was called later.
        private readonly Sentinel first = new Sentinel(Sentinel.One);
        private readonly Sentinel second = new Sentinel(Sentinel.Other);
        private int rests;

        /// <summary>The runtime compiles in steps.</summary>
        private static bool IsStepwise { get; } = Runtime.IsCoreClr && IsOn("TieredCompilation", "System.Runtime.TieredCompilation");

        /// <summary>Methods are compiled quickly at first.</summary>
        private static bool IsQuick { get; } = IsOn("TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit");

        /// <summary>How long nothing new must have been compiled. The runtime looks once in this time.</summary>
        private static int DelayMs { get; } = Setting("TC_CallCountingDelayMs") ?? 100;

        /// <summary>Rests until what was called until now is compiled. True: what is called from now on may be compiled again.</summary>
        internal bool Rest(Loop loop)
        {
            loop.CallEmpty();
            rests++;
            if (!IsStepwise || rests > RestsMax)
            {
                return false;
            }
            if (!IsQuick)
            {
                Thread.Sleep(rests == 1 ? 2 * DelayMs : QuietMs);
                return rests == 1;
            }
            if (rests == 1)
            {
                // Called for the first time now, after the body: when the first is compiled, the runtime counts the calls of all of them.
                first.Begin();
                second.Begin();
                Await(first);
                loop.CallEmpty();
                return true;
            }
            // It is called after all others, and compiled after them.
            Await(second);
            return Memory.HasCompilations && HasCompiled();
        }

        private static void Await(Sentinel sentinel)
        {
            var watch = Stopwatch.StartNew();
            while (!sentinel.IsCompiled() && watch.ElapsedMilliseconds < RestMaxMs)
            {
                Thread.Sleep(PollMs);
            }
        }

        /// <summary>Waits until nothing was compiled for a while; whether anything was.</summary>
        private static bool HasCompiled()
        {
            long before = Memory.Compilations(), last = before;
            var watch = Stopwatch.StartNew();
            for (var quiet = 0; quiet < QuietMs && watch.ElapsedMilliseconds < RestMaxMs; quiet += PollMs)
            {
                Thread.Sleep(PollMs);
                var now = Memory.Compilations();
                quiet = now == last ? quiet : 0;
                last = now;
            }
            return last > before;
        }

        private static bool IsOn(string variable, string property)
        {
            return Setting(variable) != 0 && !(AppContext.TryGetSwitch(property, out var isOn) && !isOn);
        }

        /// <summary>A setting of the runtime by an environment variable, whose numbers are hexadecimal.</summary>
        private static int? Setting(string name)
        {
            var text = Environment.GetEnvironmentVariable("DOTNET_" + name) ?? Environment.GetEnvironmentVariable("COMPlus_" + name);
            return int.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value) ? value : (int?)null;
        }

        /// <summary>A method that is called as a body is, and shows by its time that it was compiled again.</summary>
        private sealed class Sentinel
        {
            // More than the runtime counts before it compiles a method again.
            private const int Calls = 40;

            // Compiled quickly it makes calls, compiled well it makes none.
            private const double Faster = 0.6;

            private readonly Func<ulong, ulong> method;
            private double quickTicks;
            private bool isCompiled;
            private ulong sink = 1;

            internal Sentinel(Func<ulong, ulong> method)
            {
                this.method = method;
            }

            internal void Begin()
            {
                Ticks();
                quickTicks = Ticks();
            }

            internal bool IsCompiled()
            {
                isCompiled = isCompiled || Ticks() < Faster * quickTicks;
                return isCompiled;
            }

            [MethodImpl(MethodImplOptions.NoInlining)]
            internal static ulong One(ulong x)
            {
                x = Step(Step(Step(Step(Step(Step(Step(Step(x))))))));
                return Step(Step(Step(Step(Step(Step(Step(Step(x))))))));
            }

            [MethodImpl(MethodImplOptions.NoInlining)]
            internal static ulong Other(ulong x)
            {
                x = Step(Step(Step(Step(Step(Step(Step(Step(x))))))));
                return Step(Step(Step(Step(Step(Step(Step(Step(x))))))));
            }

            private static ulong Step(ulong x)
            {
                return x ^ (x << 1);
            }

            /// <summary>The least of some timings.</summary>
            [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
            private double Ticks()
            {
                var least = double.MaxValue;
                for (var timing = 0; timing < 3; timing++)
                {
                    var begin = Clock.Now();
                    for (var call = 0; call < Calls; call++)
                    {
                        sink = method(sink);
                    }
                    least = Math.Min(least, Clock.Now() - begin);
                }
                return least;
            }
        }
    }
}
