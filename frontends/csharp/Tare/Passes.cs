// What `diagnose` asks for: a diagnoser looks at the body in a process of its own, after all times were measured.

using System;
using System.Diagnostics;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace Tare;

/// <summary>A diagnoser: counters that are read before and after each iteration.</summary>
internal abstract class Pass(string name, string[] counters, string? unit = null, string? per = null)
{
    private static readonly Func<Pass>[] All = [() => new MemoryPass(), () => new ThreadingPass(), () => new ExceptionPass()];

    /// <summary>Why this runtime cannot tell what it gives; null: it can.</summary>
    internal virtual string? Missing => null;

    /// <summary>What `hello` says of all diagnosers. One whose values the runtime cannot give is there too: asked for, it says so.</summary>
    internal static Json[] Declared() => All.Select(make => make().Line()).ToArray();

    internal static Pass Of(string name) => All.Select(make => make()).First(pass => pass.Is(name));

    internal Json Run(Opened opened, int iterations, long invocations, long lead)
    {
        // What is allocated later would be counted.
        double[] before = new double[counters.Length], after = new double[counters.Length];
        var values = counters.Select(_ => new double[iterations]).ToArray();
        Begin();
        try
        {
            if (lead > 0)
            {
                opened.IterationSetUp();
                Body(opened, lead);
                opened.IterationCleanUp();
            }
            for (var i = 0; i < iterations; i++)
            {
                opened.IterationSetUp();
                Before(before);
                Body(opened, invocations);
                After(after);
                opened.IterationCleanUp();
                for (var c = 0; c < counters.Length; c++)
                {
                    values[c][i] = Math.Max(0, after[c] - before[c]);
                }
            }
        }
        finally
        {
            End();
        }
        var metrics = new Json();
        for (var c = 0; c < counters.Length; c++)
        {
            metrics.Add(counters[c], values[c]);
        }
        return new Json("diagnosed").Add("metrics", metrics);
    }

    protected virtual void Begin()
    {
    }

    protected abstract void Before(double[] readings);

    protected virtual void After(double[] readings) => Before(readings);

    protected virtual void End()
    {
    }

    private static void Body(Opened opened, long count)
    {
        try
        {
            opened.Loop.Workload(opened.Loop.State, count);
        }
        catch (Exception thrown)
        {
            throw new StepException("body", thrown);
        }
    }

    private bool Is(string wanted) => name == wanted;

    private Json Line() => new Json().Add("name", name)
        .Add("metrics", counters.Select(counter => new Json().Add("name", counter).Add("unit", unit).Add("better", "lower").Add("per", per)));
}

/// <summary>What is still there after the calls. The collections that this takes never run beside timing.</summary>
internal sealed class MemoryPass() : Pass("memory", ["kept_bytes"], "B", "iteration")
{
    protected override void Before(double[] readings) => readings[0] = GC.GetTotalMemory(true);
}

/// <summary>How often a thread had to wait for a lock, and what the pool of threads did. netstandard2.0 does not have these counters, so they are found by name.</summary>
internal sealed class ThreadingPass() : Pass(Called, ["lock_contentions", "work_items"])
{
    internal const string Called = "threading";

    private static readonly Func<long> Contentions = Getter(typeof(Monitor), "LockContentionCount");
    private static readonly Func<long> Completed = Getter(typeof(ThreadPool), "CompletedWorkItemCount");
    private static readonly Func<long> Pending = Getter(typeof(ThreadPool), "PendingWorkItemCount");

    /// <summary>
    /// Waits until the pool has nothing left to do, or for a moment where it always has. A work item is counted after it has
    /// told the body that it is done, and a body may leave some behind: without this they would be those of the next iteration, or of none.
    /// </summary>
    internal static void Settle()
    {
        const int MostMs = 100, Quiet = 3;
        var watch = Stopwatch.StartNew();
        long last = -1;
        for (var quiet = 0; quiet < Quiet && watch.ElapsedMilliseconds < MostMs;)
        {
            var now = Completed();
            quiet = Pending() == 0 && now == last ? quiet + 1 : 0;
            last = now;
            Thread.Sleep(1);
        }
    }

    protected override void Begin() => Settle();

    protected override void Before(double[] readings)
    {
        // What the lead-in, the last iteration and the set-up left behind. The runtime may use the pool to read the first counter.
        readings[0] = Contentions();
        Settle();
        readings[1] = Completed();
    }

    protected override void After(double[] readings)
    {
        Settle();
        readings[1] = Completed();
        readings[0] = Contentions();
    }

    private static Func<long> Getter(Type type, string name) => (Func<long>)type.GetProperty(name)!.GetMethod!.CreateDelegate(typeof(Func<long>));
}

/// <summary>How often something was thrown, on any thread. A handler of the runtime's event counts, which costs as much as the exception itself.</summary>
internal sealed class ExceptionPass() : Pass(Called, ["thrown"])
{
    internal const string Called = "exceptions";

    private long count;

    /// <summary>A runtime may have the event and never raise it.</summary>
    internal override string? Missing
    {
        get
        {
            Begin();
            try
            {
                throw new InvalidOperationException("thrown to test whether it is counted");
            }
            catch (InvalidOperationException)
            {
                return Interlocked.Read(ref count) > 0 ? null : $"{Runtime.Name} does not report when an exception is thrown: .NET Core and .NET do";
            }
            finally
            {
                End();
            }
        }
    }

    protected override void Begin() => AppDomain.CurrentDomain.FirstChanceException += Count;

    protected override void Before(double[] readings)
    {
        ThreadingPass.Settle();
        readings[0] = Interlocked.Read(ref count);
    }

    protected override void End() => AppDomain.CurrentDomain.FirstChanceException -= Count;

    private void Count(object? sender, FirstChanceExceptionEventArgs arguments) => Interlocked.Increment(ref count);
}
