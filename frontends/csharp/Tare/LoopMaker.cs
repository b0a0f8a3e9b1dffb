// How the loops around a benchmark are made: in memory while the program runs, or in an assembly that is compiled ahead of time.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;

namespace Tare;

internal sealed class LoopMaker(MethodInfo body, object?[] arguments, Random? random, Func<string, Type, Type[], MethodInfo> define)
{
    /// <summary>Steps by which a loop is moved at most, of about four bytes each: over a line of the cache.</summary>
    private const int ShiftMax = 16;

    private static object? inMemory;
    private static int count;

    internal static LoopCode InMemory(MethodInfo body, object?[] arguments, Random? random)
    {
        var maker = new LoopMaker(body, arguments, random, IL.Method);
        Repeat Made(string name, bool callsBody, bool callsEmpty) => (Repeat)maker.Loop(name, callsBody, callsEmpty).CreateDelegate(typeof(Repeat));
        var code = new LoopCode { Workload = Made("Loop", true, false), Rolled = Made("Rolled", true, true), Overhead = Made("Overhead", false, true) };
        code.Once = (Once)maker.OnceOfBody().CreateDelegate(typeof(Once));
        if (inMemory == null)
        {
            var name = new AssemblyName("Tare.Empty");
            var define = IL.TypeOf("AssemblyBuilder").GetMethod("DefineDynamicAssembly", [typeof(AssemblyName), IL.TypeOf("AssemblyBuilderAccess")])
                ?? throw new MissingMethodException("AssemblyBuilder.DefineDynamicAssembly");
            var assembly = define.Invoke(null, new[] { name, Enum.ToObject(IL.TypeOf("AssemblyBuilderAccess"), 1) });
            inMemory = IL.Invoke(assembly!, "DefineDynamicModule", [typeof(string)], "Tare.Empty");
        }
        var type = IL.Made(DefineEmpty(inMemory, body, $"Empty{count++}", out _, out _));
        code.EmptyTarget = body.IsStatic ? null : Activator.CreateInstance(type);
        code.EmptyFunction = type.GetMethod("Empty")!.MethodHandle.GetFunctionPointer();
        code.Function = body.MethodHandle.GetFunctionPointer();
        return code;
    }

    /// <summary>Defines a method of `type` that gives the loops, which are methods of it too.</summary>
    internal static MethodInfo InType(object module, object type, string name, MethodInfo body, object?[] arguments, Random? random)
    {
        MethodInfo Define(string title, Type returns, Type[] parameters) => IL.Method(type, $"{name}.{title}", MethodAttributes.Public | MethodAttributes.Static, returns, parameters);
        var maker = new LoopMaker(body, arguments, random, Define);
        var method = Define("Code", typeof(LoopCode), Type.EmptyTypes);
        var il = new IL(method);
        void Set(string field, Action value)
        {
            il.Op(OpCodes.Dup);
            value();
            il.Op(OpCodes.Stfld, IL.Field(typeof(LoopCode), field));
        }

        void Delegate(string field, Type kind, MethodInfo of) => Set(field, () =>
        {
            il.Op(OpCodes.Ldnull);
            il.Op(OpCodes.Ldftn, of);
            il.New(kind.GetConstructors()[0]);
        });
        il.New(typeof(LoopCode).GetConstructor(BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Instance, null, Type.EmptyTypes, null)!);
        Delegate("Workload", typeof(Repeat), maker.Loop("Loop", true, false));
        Delegate("Rolled", typeof(Repeat), maker.Loop("Rolled", true, true));
        Delegate("Overhead", typeof(Repeat), maker.Loop("Overhead", false, true));
        Delegate("Once", typeof(Once), maker.OnceOfBody());
        IL.Made(DefineEmpty(module, body, $"{name}.Empty", out var empty, out var constructor));
        Set("Function", () => il.Op(OpCodes.Ldftn, body));
        Set("EmptyFunction", () => il.Op(OpCodes.Ldftn, empty));
        if (!body.IsStatic)
        {
            Set("EmptyTarget", () => il.New(constructor));
        }
        il.Op(OpCodes.Ret);
        return method;
    }

    /// <summary>A loop that calls the body, the empty method, or one after the other.</summary>
    private MethodInfo Loop(string name, bool callsBody, bool callsEmpty)
    {
        var method = define($"Tare.{body.Name}.{name}", typeof(void), [typeof(LoopState), typeof(long)]);
        var il = new IL(method);
        var loaded = LoopCall.LoadArguments(il, body, arguments);
        var calls = new List<LoopCall>();
        if (callsBody)
        {
            calls.Add(LoopCall.OfBody(il, body, loaded));
        }
        if (callsEmpty)
        {
            calls.Add(LoopCall.OfEmpty(il, body, loaded));
        }
        Shift(il);
        Turns(il, calls.Count == 1 ? Tare.Loop.Unroll : Tare.Loop.RolledUnroll, calls);
        Turns(il, 1, calls);
        il.Op(OpCodes.Ret);
        return method;
    }

    /// <summary>
    /// Instructions that never run, as many as chance wants: the loop behind them lies elsewhere in each launch, so that the luck of
    /// its place is seen as what it is, a difference of launches.
    /// </summary>
    private void Shift(IL il)
    {
        var count = random?.Next(ShiftMax) ?? 0;
        if (count == 0)
        {
            return;
        }
        var skip = il.Label();
        il.Op(OpCodes.Ldarg_1);
        il.Op(OpCodes.Ldc_I4_0);
        il.Op(OpCodes.Conv_I8);
        il.Branch(OpCodes.Bge, skip);
        for (var i = 0; i < count; i++)
        {
            il.Op(OpCodes.Ldarg_1);
            il.Op(OpCodes.Ldarg_1);
            il.Op(OpCodes.Mul);
            il.Local(OpCodes.Starg, 1);
        }
        il.Mark(skip);
    }

    /// <summary>While there are so many invocations left: so many of these calls.</summary>
    private static void Turns(IL il, int unroll, IReadOnlyList<LoopCall> calls)
    {
        object turn = il.Label(), test = il.Label();
        il.Branch(OpCodes.Br, test);
        il.Mark(turn);
        for (var i = 0; i < unroll * calls.Count; i++)
        {
            calls[i % calls.Count].Emit();
            calls[i % calls.Count].Drop();
        }
        il.Op(OpCodes.Ldarg_1);
        il.Op(OpCodes.Ldc_I4, unroll);
        il.Op(OpCodes.Conv_I8);
        il.Op(OpCodes.Sub);
        il.Local(OpCodes.Starg, 1);
        il.Mark(test);
        il.Op(OpCodes.Ldarg_1);
        il.Op(OpCodes.Ldc_I4, unroll);
        il.Op(OpCodes.Conv_I8);
        il.Branch(OpCodes.Bge, turn);
    }

    private MethodInfo OnceOfBody()
    {
        var method = define($"Tare.{body.Name}.Once", typeof(object), [typeof(LoopState)]);
        var il = new IL(method);
        var call = LoopCall.OfBody(il, body, LoopCall.LoadArguments(il, body, arguments));
        call.Emit();
        call.Box();
        il.Op(OpCodes.Ret);
        return method;
    }

    /// <summary>A class as users write them, with an empty method of the same signature.</summary>
    private static object DefineEmpty(object module, MethodInfo body, string name, out MethodInfo empty, out ConstructorInfo constructor)
    {
        var type = IL.Invoke(module, "DefineType", [typeof(string), typeof(TypeAttributes)], name, TypeAttributes.Public | TypeAttributes.Class);
        constructor = (ConstructorInfo)IL.Invoke(type, "DefineDefaultConstructor", [typeof(MethodAttributes)], MethodAttributes.Public);
        empty = IL.Method(type, "Empty", MethodAttributes.Public | (body.IsStatic ? MethodAttributes.Static : 0), body.ReturnType, LoopCall.TypesOf(body));
        IL.Invoke(empty, "SetImplementationFlags", [typeof(MethodImplAttributes)], MethodImplAttributes.NoInlining);
        var il = new IL(empty);
        if (body.ReturnType.IsByRef)
        {
            il.Op(OpCodes.Ldc_I4_0);
            il.Op(OpCodes.Conv_U);
        }
        else if (body.ReturnType != typeof(void))
        {
            // Locals begin as zero.
            il.Local(OpCodes.Ldloc, il.Local(body.ReturnType));
        }
        il.Op(OpCodes.Ret);
        return type;
    }
}
