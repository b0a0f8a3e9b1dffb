// Code that is generated while the program runs. netstandard2.0 has no reference to System.Reflection.Emit, and every runtime has it:
// it is called by name, so that the library needs no package.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;

namespace Tare;

/// <summary>A method under construction: the few instructions that loops need.</summary>
internal sealed class IL
{
    /// <summary>The methods of each generator, by the type of a delegate with the same parameters.</summary>
    private static readonly Dictionary<Type, Dictionary<Type, MethodInfo>> Known = [];
    private readonly object generator;
    private readonly Dictionary<Type, MethodInfo> known;
    private Action<OpCode>? op;
    private Action<OpCode, short>? opOfLocal;
    private Action<OpCode, CallingConventions, Type, Type[], Type[]?>? callAddress;

    internal IL(object method)
    {
        generator = Invoke(method, "GetILGenerator", Type.EmptyTypes);
        known = Known.OrMake(generator.GetType(), _ => []);
    }

    /// <summary>A type of System.Reflection.Emit.</summary>
    internal static Type TypeOf(string name) => typeof(object).Assembly.GetType($"System.Reflection.Emit.{name}", true)!;

    /// <summary>A method of no class that may use non-public members. It is compiled at once, with full optimisation.</summary>
    internal static MethodInfo Method(string name, Type returns, Type[] parameters) =>
        (MethodInfo)Activator.CreateInstance(TypeOf("DynamicMethod"), name, returns, parameters, typeof(IL).Module, true)!;

    /// <summary>A method of a class under construction.</summary>
    internal static MethodInfo Method(object type, string name, MethodAttributes attributes, Type returns, Type[] parameters) =>
        (MethodInfo)Invoke(type, "DefineMethod", [typeof(string), typeof(MethodAttributes), typeof(Type), typeof(Type[])], name, attributes, returns, parameters);

    /// <summary>The class, which gets nothing more.</summary>
    internal static Type Made(object type) => ((TypeInfo)Invoke(type, "CreateTypeInfo", Type.EmptyTypes)).AsType();

    internal static FieldInfo Field(Type type, string name) => type.GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!;

    /// <summary>A call by name, for methods called a few times in a process.</summary>
    internal static object Invoke(object target, string name, Type[] types, params object[] arguments) =>
        Find(target.GetType(), name, types).Invoke(target, arguments)!;

    private static MethodInfo Find(Type type, string name, Type[] types)
    {
        const BindingFlags Public = BindingFlags.Public | BindingFlags.Instance;
        return type.GetMethod(name, Public, null, types, null) ?? throw new MissingMethodException(type.FullName, name);
    }

    /// <summary>
    /// A method of the generator as a delegate. A loop has hundreds of instructions: called by name, each of them costs more than the runtime
    /// needs to add it, and so many calls make the runtime compile its own reflection once more, beside the first bodies.
    /// </summary>
    private T As<T>(string name)
        where T : Delegate
    {
        if (!known.TryGetValue(typeof(T), out var method))
        {
            var types = Array.ConvertAll(typeof(T).GetMethod("Invoke")!.GetParameters(), p => p.ParameterType);
            known[typeof(T)] = method = Find(generator.GetType(), name, types);
        }
        return (T)method.CreateDelegate(typeof(T), generator);
    }

    internal void Op(OpCode code)
    {
        op ??= As<Action<OpCode>>("Emit");
        op(code);
    }

    internal void Op(OpCode code, int value) => As<Action<OpCode, int>>("Emit")(code, value);

    internal void Op(OpCode code, Type type) => As<Action<OpCode, Type>>("Emit")(code, type);

    internal void Op(OpCode code, FieldInfo field) => As<Action<OpCode, FieldInfo>>("Emit")(code, field);

    internal void Op(OpCode code, string text) => As<Action<OpCode, string>>("Emit")(code, text);

    internal void Op(OpCode code, MethodInfo method) => As<Action<OpCode, MethodInfo>>("Emit")(code, method);

    internal void Call(MethodInfo method) => Op(method.IsVirtual && !method.DeclaringType!.IsValueType ? OpCodes.Callvirt : OpCodes.Call, method);

    internal void New(ConstructorInfo constructor) => As<Action<OpCode, ConstructorInfo>>("Emit")(OpCodes.Newobj, constructor);

    /// <summary>Calls the address on top of the stack.</summary>
    internal void CallAddress(CallingConventions convention, Type returns, Type[] parameters)
    {
        callAddress ??= As<Action<OpCode, CallingConventions, Type, Type[], Type[]?>>("EmitCalli");
        callAddress(OpCodes.Calli, convention, returns, parameters, null);
    }

    internal short Local(Type type) => (short)((LocalVariableInfo)As<Func<Type, object>>("DeclareLocal")(type)).LocalIndex;

    internal void Local(OpCode code, short local)
    {
        opOfLocal ??= As<Action<OpCode, short>>("Emit");
        opOfLocal(code, local);
    }

    internal object Label() => Invoke(generator, "DefineLabel", Type.EmptyTypes);

    internal void Mark(object label) => Invoke(generator, "MarkLabel", [label.GetType()], label);

    internal void Branch(OpCode code, object label) => Invoke(generator, "Emit", [typeof(OpCode), label.GetType()], code, label);
}
