// One call of a benchmark in generated code, and what happens to its result.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

namespace Tare;

internal sealed class LoopCall
{
    private static readonly FieldInfo Target = IL.Field(typeof(LoopState), "Target");
    private static readonly FieldInfo Function = IL.Field(typeof(LoopState), "Function");
    private static readonly FieldInfo EmptyTarget = IL.Field(typeof(LoopState), "EmptyTarget");
    private static readonly FieldInfo EmptyFunction = IL.Field(typeof(LoopState), "EmptyFunction");
    private static readonly FieldInfo Values = IL.Field(typeof(LoopState), "Arguments");

    private readonly IL il;
    private readonly MethodInfo body;
    private readonly Type[] parameters;
    private readonly IReadOnlyList<short> arguments;
    private readonly Awaiting? awaiting;
    private readonly short target;
    private readonly short function;

    private LoopCall(IL il, MethodInfo body, IReadOnlyList<short> arguments, Awaiting? awaiting, FieldInfo target, FieldInfo function)
    {
        this.il = il;
        this.body = body;
        this.arguments = arguments;
        this.awaiting = awaiting;
        parameters = TypesOf(body);
        if (!body.IsStatic)
        {
            this.target = Read(target, typeof(object));
        }
        this.function = Read(function, typeof(IntPtr));
        awaiting?.Declare(il);
    }

    private Type Result => awaiting == null ? body.ReturnType : awaiting.Result;

    /// <summary>A call of the benchmark, awaited.</summary>
    internal static LoopCall OfBody(IL il, MethodInfo body, IReadOnlyList<short> arguments) =>
        new(il, body, arguments, Awaiting.Of(body.ReturnType), Target, Function);

    /// <summary>A call of the empty method, which gives no task that could be awaited.</summary>
    internal static LoopCall OfEmpty(IL il, MethodInfo body, IReadOnlyList<short> arguments) =>
        new(il, body, arguments, null, EmptyTarget, EmptyFunction);

    /// <summary>Reads the arguments of all calls into locals, before the loop.</summary>
    internal static IReadOnlyList<short> LoadArguments(IL il, MethodInfo body, object?[] values)
    {
        var parameters = TypesOf(body);
        var locals = new List<short>();
        for (var i = 0; i < parameters.Length; i++)
        {
            var wanted = parameters[i].IsByRef ? parameters[i].GetElementType()! : parameters[i];
            il.Op(OpCodes.Ldarg_0);
            il.Op(OpCodes.Ldfld, Values);
            il.Op(OpCodes.Ldc_I4, i);
            il.Op(OpCodes.Ldelem_Ref);
            Convert(il, wanted, values[i]);
            var local = il.Local(wanted);
            il.Local(OpCodes.Stloc, local);
            locals.Add(local);
        }
        return locals;
    }

    /// <summary>Leaves on the stack what the body returned, awaited.</summary>
    internal void Emit()
    {
        if (!body.IsStatic)
        {
            il.Local(OpCodes.Ldloc, target);
        }
        for (var i = 0; i < arguments.Count; i++)
        {
            il.Local(parameters[i].IsByRef ? OpCodes.Ldloca : OpCodes.Ldloc, arguments[i]);
        }
        il.Local(OpCodes.Ldloc, function);
        il.CallAddress(body.IsStatic ? CallingConventions.Standard : CallingConventions.HasThis, body.ReturnType, parameters);
        awaiting?.Emit(il);
    }

    /// <summary>Nothing is done with the result: the address of the body hides from the compiler that it could be left out.</summary>
    internal void Drop()
    {
        if (Result != typeof(void))
        {
            il.Op(OpCodes.Pop);
        }
    }

    /// <summary>The result as an object; of what lives on the stack alone its copy as an array, where it has one.</summary>
    internal void Box()
    {
        var type = Result;
        if (type == typeof(void))
        {
            il.Op(OpCodes.Ldnull);
            return;
        }
        if (type.IsByRef)
        {
            type = type.GetElementType()!;
            il.Op(OpCodes.Ldobj, type);
        }
        if (!IsStackOnly(type))
        {
            il.Op(OpCodes.Box, type);
            return;
        }
        var copy = type.GetMethod("ToArray", Type.EmptyTypes);
        if (copy == null)
        {
            il.Op(OpCodes.Pop);
            il.Op(OpCodes.Ldnull);
            return;
        }
        var local = il.Local(type);
        il.Local(OpCodes.Stloc, local);
        il.Local(OpCodes.Ldloca, local);
        il.Call(copy);
    }

    internal static bool IsStackOnly(Type type)
    {
        const string Mark = "System.Runtime.CompilerServices.IsByRefLikeAttribute";
        return type.IsPointer || type.GetCustomAttributesData().Any(a => a.AttributeType.FullName == Mark);
    }

    /// <summary>The conversion by which a value that can be kept becomes one that lives on the stack.</summary>
    internal static MethodInfo? Conversion(Type wanted, Type from) =>
        wanted.GetMethods(BindingFlags.Public | BindingFlags.Static).Concat(from.GetMethods(BindingFlags.Public | BindingFlags.Static))
            .FirstOrDefault(m => m.Name == "op_Implicit" && m.ReturnType == wanted && m.GetParameters()[0].ParameterType.IsAssignableFrom(from));

    private static void Convert(IL il, Type wanted, object? value)
    {
        if (!IsStackOnly(wanted))
        {
            il.Op(OpCodes.Unbox_Any, wanted);
            return;
        }
        var conversion = (value == null ? null : Conversion(wanted, value.GetType())) ?? throw new InvalidOperationException($"an argument cannot be made a {wanted.Name}");
        il.Op(OpCodes.Unbox_Any, conversion.GetParameters()[0].ParameterType);
        il.Call(conversion);
    }

    internal static Type[] TypesOf(MethodInfo body) => body.GetParameters().Select(p => p.ParameterType).ToArray();

    private short Read(FieldInfo field, Type type)
    {
        var local = il.Local(type);
        il.Op(OpCodes.Ldarg_0);
        il.Op(OpCodes.Ldfld, field);
        il.Local(OpCodes.Stloc, local);
        return local;
    }
}
