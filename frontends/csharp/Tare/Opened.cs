// The one benchmark that a process has open: its instance, its steps, its loops.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Tare;

/// <summary>The user's code threw, in this step.</summary>
internal sealed class StepException(string step, Exception thrown) : Exception(Thrown.Message(thrown), thrown)
{
    internal string Step { get; } = step;
    internal Exception Cause { get; } = thrown;

    /// <summary>Where it was thrown, as far as the debug information tells.</summary>
    internal StackFrame? Place => Thrown.Place(Cause);
}

internal sealed class Opened
{
    private const int BlocksMax = 12;

    // Bytes between positions of the stack, and positions in a page.
    private const int StackAlignment = 16;
    private const int StackPositions = 4096 / StackAlignment;
    // From one position to the next, so that a few lie all over the page: about 0.618 of them, and odd.
    private const int StackStep = 159;
    private readonly Action[] iterationSetUps;
    private readonly Action[] iterationCleanUps;
    private object? instance;
    private byte[][]? blocks;
    private bool movesStack;
    private int stackPosition;
    private volatile byte[]? dropped;

    internal Opened(Benchmark benchmark, ulong seed)
    {
        Benchmark = benchmark;
        // Where every call counts there is no request before those that are kept.
        IsFilled = Benchmark.StrategyOf(benchmark.Settings) != null;
        SetUp(seed);
        iterationSetUps = Actions(benchmark.IterationSetups);
        iterationCleanUps = Actions(benchmark.IterationCleanups);
    }

    internal Benchmark Benchmark { get; }
    internal Loop Loop { [MethodImpl(Clock.Optimised)] get; private set; } = null!;

    /// <summary>
    /// Bytes by which the stack is moved, others each time: one position in ten can make a body a third slower, where its frames lie at
    /// the distance of a page from what it reads, and a launch that stayed at one would be slow throughout.
    /// </summary>
    [MethodImpl(Clock.Optimised)]
    internal int NextStackOffset()
    {
        if (!movesStack)
        {
            return 0;
        }
        stackPosition = (stackPosition + StackStep) % StackPositions;
        return stackPosition * StackAlignment;
    }

    /// <summary>An invocation has allocated.</summary>
    internal bool Allocates { [MethodImpl(Clock.Optimised)] get; [MethodImpl(Clock.Optimised)] set; }

    /// <summary>The memory of young objects was filled once, or need not be.</summary>
    internal bool IsFilled { [MethodImpl(Clock.Optimised)] get; [MethodImpl(Clock.Optimised)] set; }

    [MethodImpl(Clock.Optimised)]
    internal void IterationSetUp()
    {
        if (iterationSetUps.Length > 0)
        {
            Run("iteration-set-up", iterationSetUps);
        }
    }

    [MethodImpl(Clock.Optimised)]
    internal void IterationCleanUp()
    {
        if (iterationCleanUps.Length > 0)
        {
            Run("iteration-clean-up", iterationCleanUps);
        }
    }

    /// <summary>The body once, with what it returned.</summary>
    internal object? Check()
    {
        IterationSetUp();
        object? result;
        try
        {
            result = Loop.Once(Loop.State);
        }
        catch (Exception thrown)
        {
            throw new StepException("body", thrown);
        }
        IterationCleanUp();
        return result;
    }

    /// <summary>Once, also when it throws.</summary>
    internal void CleanUp()
    {
        Action[] steps = Loop == null ? [] : Actions(Benchmark.GlobalCleanups);
        Loop = null!;
        Run("clean-up", steps);
    }

    /// <summary>A new instance, among blocks of other sizes.</summary>
    internal void Randomize(ulong seed)
    {
        CleanUp();
        SetUp(seed);
    }

    private void SetUp(ulong seed)
    {
        var random = seed == 0 ? null : new Random((int)(seed ^ (seed >> 32)));
        Scatter(random);
        try
        {
            instance = Benchmark.Method.IsStatic ? null : Activator.CreateInstance(Benchmark.Type, true);
            foreach (var parameter in Benchmark.Parameters)
            {
                if (parameter.Member != null)
                {
                    Parameters.Set(parameter.Member, instance, parameter.Value);
                }
            }
        }
        catch (TargetInvocationException thrown)
        {
            throw new StepException("set-up", thrown.InnerException!);
        }
        Run("set-up", Actions(Benchmark.GlobalSetups));
        Loop = Loop.Of(Benchmark, instance, random);
    }

    /// <summary>
    /// Kept blocks with holes between them, so that what the set-up allocates lies at another distance in each launch; and a first
    /// position of the stack. Without `random` neither.
    /// </summary>
    private void Scatter(Random? random)
    {
        blocks = null;
        movesStack = random != null;
        if (random == null)
        {
            return;
        }
        stackPosition = random.Next(StackPositions);
        blocks = new byte[BlocksMax][];
        for (var i = 0; i < BlocksMax; i++)
        {
            // From small ones to those of the large object heap; every second one is dropped at once.
            blocks[i] = new byte[24 + random.Next(1 << random.Next(8, 18))];
            dropped = new byte[24 + random.Next(1 << random.Next(8, 18))];
        }
        dropped = null;
    }

    private Action[] Actions(IReadOnlyList<MethodInfo> steps)
    {
        return steps.Select(ActionOf).ToArray();
    }

    /// <summary>A step as a delegate, which costs no reflection beside an iteration.</summary>
    private Action ActionOf(MethodInfo step)
    {
        if (step.ReturnType == typeof(void) && step.GetParameters().Length == 0)
        {
            return (Action)step.CreateDelegate(typeof(Action), step.IsStatic ? null : instance);
        }
        return () =>
        {
            try
            {
                Awaiting.Finish(step.Invoke(step.IsStatic ? null : instance, null));
            }
            catch (TargetInvocationException thrown)
            {
                ExceptionDispatchInfo.Capture(thrown.InnerException!).Throw();
            }
        };
    }

    [MethodImpl(Clock.Optimised)]
    private static void Run(string name, Action[] steps)
    {
        try
        {
            foreach (var step in steps)
            {
                step();
            }
        }
        catch (Exception thrown)
        {
            throw new StepException(name, thrown);
        }
    }
}
