// The loop around a benchmark: generated for each one (`LoopMaker`), so that benchmarks share neither a delegate nor a profile.

using System;
using System.Runtime.CompilerServices;

namespace Tare;

/// <summary>What a generated loop reads: the compiler can know nothing of it.</summary>
internal sealed class LoopState
{
    internal object? Target;
    internal IntPtr Function;
    internal object?[] Arguments = [];

    /// <summary>The empty method, which the rolled loop calls beside the body.</summary>
    internal object? EmptyTarget;
    internal IntPtr EmptyFunction;
}

/// <summary>Runs so many invocations.</summary>
internal delegate void Repeat(LoopState state, long invocations);

/// <summary>Runs one invocation and gives what it returned.</summary>
internal delegate object? Once(LoopState state);

/// <summary>The methods around one benchmark, made in memory or compiled ahead of time, with what they call.</summary>
internal sealed class LoopCode
{
    internal Repeat Workload = null!, Rolled = null!, Overhead = null!;
    internal Once Once = null!;
    internal IntPtr Function, EmptyFunction;
    internal object? EmptyTarget;
}

/// <summary>
/// The loops of one benchmark. The body is called by its address, which no compiler can look through: it cannot be moved out of the
/// loop, and what it returns cannot be left out, whatever its type (also one that lives on the stack alone, or a reference). The
/// loop `overhead` calls an empty method of the same signature in the same way, through the same kind of entry. The loop `rolled`
/// calls this method after each call of the body: it costs twice what the loop costs, beside this very body.
/// </summary>
internal sealed class Loop
{
    /// <summary>Invocations in a turn of the loop.</summary>
    internal const int Unroll = 16;

    /// <summary>The same of the rolled loop, each of them with two calls: its share of a turn is twice as large as in the other loop.</summary>
    internal const int RolledUnroll = Unroll / 2;

    /// <summary>Calls of the empty method after which the runtime compiles it again.</summary>
    private const int Often = 4 * Unroll;

    private readonly LoopState state;

    private Loop(LoopCode code)
    {
        Workload = code.Workload;
        Rolled = code.Rolled;
        Overhead = code.Overhead;
        Once = code.Once;
        state = new LoopState { Function = code.Function, EmptyTarget = code.EmptyTarget, EmptyFunction = code.EmptyFunction };
    }

    internal Repeat Workload { [MethodImpl(Clock.Optimised)] get; }
    internal Repeat Overhead { [MethodImpl(Clock.Optimised)] get; }
    internal Once Once { get; }
    internal LoopState State { [MethodImpl(Clock.Optimised)] get => state; }
    private Repeat Rolled { [MethodImpl(Clock.Optimised)] get; }

    /// <summary>The loops of a benchmark, each placed elsewhere by `random`; null: as they come.</summary>
    internal static Loop Of(Benchmark benchmark, object? target, Random? random)
    {
        var arguments = benchmark.Arguments;
        var loop = new Loop(benchmark.Code?.Invoke(random) ?? LoopMaker.InMemory(benchmark.Method, arguments, random));
        loop.state.Target = target;
        loop.state.Arguments = arguments;
        // Compiles the loops.
        loop.Workload(loop.State, 0);
        loop.Rolled(loop.State, 0);
        loop.CallEmpty();
        return loop;
    }

    [MethodImpl(Clock.Optimised)]
    internal Repeat Of(Which which) => which == Which.Workload ? Workload : which == Which.Overhead ? Overhead : Rolled;

    /// <summary>Calls the empty method often: the runtime compiles it in steps, as it does others.</summary>
    [MethodImpl(Clock.Optimised)]
    internal void CallEmpty() => Overhead(State, Often);
}
