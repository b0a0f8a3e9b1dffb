// Code that is generated while the program runs. netstandard2.0 has no reference to System.Reflection.Emit, and every runtime has it:
// it is called by name, so that the library needs no package.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;

namespace Tare
{
    /// <summary>A method under construction: the few instructions that loops need.</summary>
    internal sealed class IL
    {
        private static readonly Dictionary<string, MethodInfo> Known = new Dictionary<string, MethodInfo>();
        private readonly object generator;

        internal IL(object method)
        {
            generator = Invoke(method, "GetILGenerator", Type.EmptyTypes);
        }

        /// <summary>A type of System.Reflection.Emit.</summary>
        internal static Type TypeOf(string name)
        {
            return typeof(object).Assembly.GetType("System.Reflection.Emit." + name, true);
        }

        /// <summary>A method that belongs to no class and may use what is not public. It is compiled at once, with full optimisation.</summary>
        internal static MethodInfo Method(string name, Type returns, Type[] parameters)
        {
            return (MethodInfo)Activator.CreateInstance(TypeOf("DynamicMethod"), name, returns, parameters, typeof(IL).Module, true);
        }

        internal static object Invoke(object target, string name, Type[] types, params object[] arguments)
        {
            var key = target.GetType().FullName + "." + name + "(" + string.Join(",", Array.ConvertAll(types, t => t.Name)) + ")";
            if (!Known.TryGetValue(key, out var method))
            {
                const BindingFlags Public = BindingFlags.Public | BindingFlags.Instance;
                method = target.GetType().GetMethod(name, Public, null, types, null) ?? throw new MissingMethodException(key);
                Known[key] = method;
            }
            return method.Invoke(target, arguments);
        }

        internal void Op(OpCode code)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode) }, code);
        }

        internal void Op(OpCode code, int value)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode), typeof(int) }, code, value);
        }

        internal void Op(OpCode code, Type type)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode), typeof(Type) }, code, type);
        }

        internal void Op(OpCode code, FieldInfo field)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode), typeof(FieldInfo) }, code, field);
        }

        internal void Call(MethodInfo method)
        {
            var code = method.IsVirtual && !method.DeclaringType.IsValueType ? OpCodes.Callvirt : OpCodes.Call;
            Invoke(generator, "Emit", new[] { typeof(OpCode), typeof(MethodInfo) }, code, method);
        }

        internal void New(ConstructorInfo constructor)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode), typeof(ConstructorInfo) }, OpCodes.Newobj, constructor);
        }

        /// <summary>Calls the address on top of the stack.</summary>
        internal void CallAddress(CallingConventions convention, Type returns, Type[] parameters)
        {
            var types = new[] { typeof(OpCode), typeof(CallingConventions), typeof(Type), typeof(Type[]), typeof(Type[]) };
            Invoke(generator, "EmitCalli", types, OpCodes.Calli, convention, returns, parameters, null);
        }

        internal short Local(Type type)
        {
            return (short)((LocalVariableInfo)Invoke(generator, "DeclareLocal", new[] { typeof(Type) }, type)).LocalIndex;
        }

        internal void Local(OpCode code, short local)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode), typeof(short) }, code, local);
        }

        internal object Label()
        {
            return Invoke(generator, "DefineLabel", Type.EmptyTypes);
        }

        internal void Mark(object label)
        {
            Invoke(generator, "MarkLabel", new[] { label.GetType() }, label);
        }

        internal void Branch(OpCode code, object label)
        {
            Invoke(generator, "Emit", new[] { typeof(OpCode), label.GetType() }, code, label);
        }
    }
}
