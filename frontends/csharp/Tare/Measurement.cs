// The measuring itself: what `measure` and `diagnose` ask for.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;

namespace Tare;

internal enum Which
{
    /// <summary>Of the body.</summary>
    Workload,

    /// <summary>Of the empty method.</summary>
    Overhead,

    /// <summary>Of both.</summary>
    Rolled,
}

/// <summary>The columns of a request, one number for each iteration. All of it is allocated before the first clock is read.</summary>
internal sealed class Measurement
{
    /// <summary>By generation.</summary>
    private static readonly string[] CollectionNames = ["collections_0", "collections_1", "collections_2"];
    private readonly Opened opened;
    private readonly Repeat loop;
    private readonly LoopState state;
    private readonly bool isWorkload;
    private readonly long invocations;
    private readonly int windows;
    private readonly double[] elapsed;
    private readonly long[] cpu;
    private readonly long[] processCpu;
    private readonly double[] probeBefore;
    private readonly double[] probeAfter;
    private readonly long[] switches;
    private readonly long[] waits;
    private readonly long[] compilations;
    private readonly long[] allocated;
    private readonly long[][] collections;
    private readonly long[] marks;
    private readonly double[] windowNs;
    private readonly double[] widthNs;
    private bool isCompiling;

    [MethodImpl(Clock.Optimised)]
    internal Measurement(Opened opened, Which which, int iterations, long invocations, int windows)
    {
        this.opened = opened;
        isWorkload = which != Which.Overhead;
        this.invocations = invocations;
        this.windows = windows;
        loop = opened.Loop.Of(which);
        state = opened.Loop.State;
        elapsed = new double[iterations];
        cpu = new long[iterations];
        processCpu = new long[iterations];
        probeBefore = new double[iterations];
        probeAfter = new double[iterations];
        switches = new long[iterations];
        waits = new long[iterations];
        compilations = new long[iterations];
        allocated = new long[iterations];
        collections = new long[CollectionNames.Length][];
        for (var i = 0; i < collections.Length; i++)
        {
            collections[i] = new long[iterations];
        }
        marks = new long[(2 * windows) + 2];
        windowNs = new double[iterations * windows];
        widthNs = new double[windows == 0 ? 0 : iterations * (windows + 1)];
    }

    /// <summary>Names and properties of the counts of each iteration.</summary>
    internal static IEnumerable<Json> Metrics() =>
        CollectionNames.Select(name => new Json().Add("name", name).Add("better", "lower")).Prepend(new Json().Add("name", "allocated_bytes").Add("unit", "B").Add("better", "lower"));

    /// <summary>Compiles everything that measures, by measuring the empty loop once: nothing of it is compiled beside a body.</summary>
    internal static void Prepare(Opened opened)
    {
        foreach (var windows in new[] { 0, 1 })
        {
            var empty = new Measurement(opened, Which.Overhead, 1, Loop.Unroll, windows);
            empty.Run(0);
            empty.Reply().Send((_, _) => { });
        }
    }

    /// <summary>Runs the lead-in and all iterations. The empty method is called as often as a body is, so that it is compiled when the body is.</summary>
    [MethodImpl(Clock.Optimised)]
    internal void Run(long lead)
    {
        opened.Loop.CallEmpty();
        if (isWorkload && opened.Allocates && !opened.IsFilled)
        {
            opened.IsFilled = true;
            Memory.FillYoung();
        }
        OnStack(opened.NextStackOffset(), lead);
        // Visits have a lead-in: the host does not ask in them.
        isCompiling = lead == 0 && isWorkload && Compiler.IsBusy();
        for (var i = 0; i < allocated.Length; i++)
        {
            opened.Allocates |= isWorkload && allocated[i] > 0;
        }
    }

    [MethodImpl(Clock.Optimised)]
    internal Json Reply()
    {
        var reply = new Json("measured").Add("elapsed_ns", elapsed);
        if (Native.HasCpu)
        {
            reply.Add("cpu_ns", cpu).Add("process_cpu_ns", processCpu);
        }
        reply.Add("probe_before_ns", probeBefore).Add("probe_after_ns", probeAfter);
        if (Native.HasSwitches)
        {
            reply.Add("switches", switches).Add("waits", waits);
        }
        if (Memory.HasCompilations)
        {
            reply.Add("compilations", compilations);
        }
        if (windows > 0)
        {
            reply.Add("window_ns", windowNs).Add("width_ns", widthNs);
        }
        if (isCompiling)
        {
            reply.AddEvent("compiling", elapsed.Length - 1);
        }
        reply.Begin("metrics").Add("allocated_bytes", allocated);
        for (var i = 0; i < collections.Length; i++)
        {
            reply.Add(CollectionNames[i], collections[i]);
        }
        return reply.End();
    }

    /// <summary>Runs below an unused part of the stack, so that the body's frames lie elsewhere in each request.</summary>
    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private unsafe void OnStack(int offset, long lead)
    {
        var unused = stackalloc byte[offset + 1];
        unused[offset] = 1;
        if (lead > 0)
        {
            LeadIn(lead);
        }
        for (var i = 0; i < elapsed.Length; i++)
        {
            if (isWorkload)
            {
                opened.IterationSetUp();
            }
            Iteration(i);
            if (isWorkload)
            {
                opened.IterationCleanUp();
            }
        }
    }

    [MethodImpl(Clock.Optimised)]
    private void LeadIn(long count)
    {
        if (isWorkload)
        {
            opened.IterationSetUp();
        }
        Body(count);
        if (isWorkload)
        {
            opened.IterationCleanUp();
        }
    }

    [MethodImpl(Clock.Optimised)]
    private void Body(long count)
    {
        try
        {
            loop(state, count);
        }
        catch (Exception thrown)
        {
            throw new StepException("body", thrown);
        }
    }

    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private void Iteration(int i)
    {
        long waitsBefore = 0, switchesBefore = 0, cpuBefore = 0, processBefore = 0, compiledBefore = 0, allocatedBefore = 0;
        WarmProbe();
        probeBefore[i] = Probe();
        for (var g = 0; g < collections.Length; g++)
        {
            collections[g][i] = -GC.CollectionCount(g);
        }
        allocatedBefore = Memory.Allocated();
        if (Native.HasSwitches)
        {
            Native.Switches(out waitsBefore, out switchesBefore);
        }
        if (Memory.HasCompilations)
        {
            compiledBefore = Memory.Compilations();
        }
        if (Native.HasCpu)
        {
            processBefore = Native.ProcessCpuNs();
            cpuBefore = Native.ThreadCpuNs();
        }
        Timed(i);
        if (Native.HasCpu)
        {
            cpu[i] = Native.ThreadCpuNs() - cpuBefore;
            processCpu[i] = Native.ProcessCpuNs() - processBefore;
        }
        if (Memory.HasCompilations)
        {
            compilations[i] = Memory.Compilations() - compiledBefore;
        }
        if (Native.HasSwitches)
        {
            Native.Switches(out var waitsAfter, out var switchesAfter);
            waits[i] = waitsAfter - waitsBefore;
            switches[i] = switchesAfter - switchesBefore;
        }
        allocated[i] = Memory.Allocated() - allocatedBefore;
        // A collection of a generation is one of those below it too, as the runtime counts.
        for (var g = 0; g < collections.Length; g++)
        {
            collections[g][i] += GC.CollectionCount(g);
        }
        probeAfter[i] = Probe();
    }

    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private void Timed(int i)
    {
        try
        {
            if (windows > 0)
            {
                Cut(i);
                return;
            }
            var begin = Clock.Now();
            loop(state, invocations);
            elapsed[i] = Clock.Ns(Clock.Now() - begin);
        }
        catch (Exception thrown)
        {
            throw new StepException("body", thrown);
        }
    }

    /// <summary>An iteration of windows, with a reading of the width probe before the first and after each.</summary>
    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private void Cut(int i)
    {
        marks[0] = Clock.Now();
        Probes.Width();
        marks[1] = Clock.Now();
        for (var end = 2; end < marks.Length; end += 2)
        {
            loop(state, invocations);
            marks[end] = Clock.Now();
            Probes.Width();
            marks[end + 1] = Clock.Now();
        }
        double sum = 0;
        for (var w = 0; w <= windows; w++)
        {
            widthNs[(i * (windows + 1)) + w] = Clock.Ns(marks[(2 * w) + 1] - marks[2 * w]);
            if (w < windows)
            {
                var ns = Clock.Ns(marks[(2 * w) + 2] - marks[(2 * w) + 1]);
                windowNs[(i * windows) + w] = ns;
                sum += ns;
            }
        }
        elapsed[i] = sum;
    }

    /// <summary>
    /// Other processes ran since the last request. A probe whose own code is no longer in the caches takes 3 % longer, as beside a slower clock.
    /// </summary>
    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private static void WarmProbe()
    {
        Clock.Now();
        Probes.Chain(1);
        Clock.Now();
    }

    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    private static double Probe()
    {
        var begin = Clock.Now();
        Probes.Chain(Probes.ClockTurns);
        return Clock.Ns(Clock.Now() - begin);
    }
}
