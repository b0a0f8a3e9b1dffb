// Bodies that return a task: the call is over when the task is.

using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Threading.Tasks;

namespace Tare;

/// <summary>How the result of an asynchronous body is awaited in generated code.</summary>
internal sealed class Awaiting
{
    private static readonly MethodInfo WaitMethod = typeof(Awaiting).GetMethod(nameof(Wait), BindingFlags.NonPublic | BindingFlags.Static)!;
    private readonly Type type;
    private readonly Type awaiter;
    private readonly MethodInfo? asTask;
    private short task;
    private short awaited;
    private short kept;

    private Awaiting(Type type)
    {
        this.type = type;
        awaiter = type.GetMethod("GetAwaiter", Type.EmptyTypes)!.ReturnType;
        asTask = type.GetMethod("AsTask", Type.EmptyTypes);
        Result = awaiter.GetMethod("GetResult", Type.EmptyTypes)!.ReturnType;
    }

    /// <summary>The result of awaiting it.</summary>
    internal Type Result { get; }

    /// <summary>Null: the type is none that is awaited.</summary>
    internal static Awaiting? Of(Type type)
    {
        var isValueTask = type.Namespace == "System.Threading.Tasks" && type.Name.StartsWith("ValueTask", StringComparison.Ordinal);
        return typeof(Task).IsAssignableFrom(type) || isValueTask ? new Awaiting(type) : null;
    }

    /// <summary>Something of its own kind that `await` takes.</summary>
    internal static bool IsAwaitable(Type type)
    {
        var awaiter = type.IsByRef || type.IsPointer ? null : type.GetMethod("GetAwaiter", Type.EmptyTypes)?.ReturnType;
        return awaiter != null && typeof(System.Runtime.CompilerServices.INotifyCompletion).IsAssignableFrom(awaiter);
    }

    internal void Declare(IL il)
    {
        task = il.Local(type);
        awaited = il.Local(awaiter);
        kept = asTask == null ? (short)0 : il.Local(asTask.ReturnType);
    }

    /// <summary>From the task on the stack to its result. One that is finished costs no more than asking it.</summary>
    internal void Emit(IL il)
    {
        il.Local(OpCodes.Stloc, task);
        if (asTask != null)
        {
            // The result of one that is not finished may be asked for only later, and only once: its task can be waited for.
            var ready = il.Label();
            Load(il);
            il.Call(type.GetProperty("IsCompleted")!.GetMethod!);
            il.Branch(OpCodes.Brtrue, ready);
            Load(il);
            il.Call(asTask);
            il.Local(OpCodes.Stloc, kept);
            il.Local(OpCodes.Ldloc, kept);
            il.Call(WaitMethod);
            il.Local(OpCodes.Ldloc, kept);
            il.New(type.GetConstructor([asTask.ReturnType])!);
            il.Local(OpCodes.Stloc, task);
            il.Mark(ready);
        }
        Load(il);
        il.Call(type.GetMethod("GetAwaiter", Type.EmptyTypes)!);
        il.Local(OpCodes.Stloc, awaited);
        il.Local(awaiter.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, awaited);
        il.Call(awaiter.GetMethod("GetResult", Type.EmptyTypes)!);
    }

    /// <summary>Waits without throwing what the task throws: asking for its result does that.</summary>
    internal static void Wait(Task task)
    {
        try
        {
            task.Wait();
        }
        catch (AggregateException)
        {
        }
    }

    /// <summary>What a set-up or clean-up returned, awaited.</summary>
    internal static void Finish(object? result)
    {
        var task = result as Task ?? result?.GetType().GetMethod("AsTask", Type.EmptyTypes)?.Invoke(result, null) as Task;
        task?.GetAwaiter().GetResult();
    }

    private void Load(IL il) => il.Local(type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, task);
}
