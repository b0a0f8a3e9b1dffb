// The loop around a benchmark: generated for each one, so that benchmarks share neither a delegate nor a profile.

using System;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;

namespace Tare
{
    /// <summary>What a generated loop reads: the compiler can know nothing of it.</summary>
    internal sealed class LoopState
    {
        internal object Target;
        internal IntPtr Function;
        internal object[] Arguments;
    }

    /// <summary>Runs so many invocations.</summary>
    internal delegate void Repeat(LoopState state, long invocations);

    /// <summary>Runs one invocation and gives what it returned.</summary>
    internal delegate object Once(LoopState state);

    /// <summary>
    /// The loops of one benchmark. The body is called by its address, which no compiler can look through: it cannot be moved out of the
    /// loop, and what it returns cannot be left out, whatever its type (also one that lives on the stack alone, or a reference). The
    /// loop `overhead` calls an empty method of the same signature in the same way, through the same kind of entry.
    /// </summary>
    internal sealed class Loop
    {
        /// <summary>Invocations in a turn of the loop.</summary>
        internal const int Unroll = 16;

        private static object module;
        private static int count;

        private readonly MethodInfo body;
        private readonly object[] arguments;
        private readonly Type[] parameters;

        private Loop(MethodInfo body, object[] arguments)
        {
            this.body = body;
            this.arguments = arguments;
            parameters = body.GetParameters().Select(p => p.ParameterType).ToArray();
        }

        internal Repeat Workload { get; private set; }
        internal Repeat Overhead { get; private set; }
        internal Once Once { get; private set; }
        internal LoopState State { get; private set; }
        internal LoopState Nothing { get; private set; }

        internal static Loop Of(MethodInfo body, object target, object[] arguments)
        {
            var loop = new Loop(body, arguments);
            loop.Workload = (Repeat)loop.Generate(true).CreateDelegate(typeof(Repeat));
            loop.Overhead = (Repeat)loop.Generate(false).CreateDelegate(typeof(Repeat));
            loop.Once = (Once)loop.GenerateOnce().CreateDelegate(typeof(Once));
            var empty = loop.Empty(out var emptyTarget);
            loop.State = new LoopState { Target = target, Function = Address(body), Arguments = arguments };
            loop.Nothing = new LoopState { Target = emptyTarget, Function = Address(empty), Arguments = arguments };
            // Compiles both loops, and begins to count the calls of the empty method, which the runtime compiles in steps as it does others.
            loop.Workload(loop.State, 0);
            loop.Overhead(loop.Nothing, 4 * Unroll);
            return loop;
        }

        private static IntPtr Address(MethodInfo method)
        {
            return method.MethodHandle.GetFunctionPointer();
        }

        private MethodInfo Generate(bool workload)
        {
            var method = IL.Method("Tare." + body.Name + (workload ? ".Loop" : ".Overhead"), typeof(void), new[] { typeof(LoopState), typeof(long) });
            var il = new IL(method);
            var call = new LoopCall(il, body, arguments, workload);
            call.Load();
            Turns(il, Unroll, call);
            Turns(il, 1, call);
            il.Op(OpCodes.Ret);
            return method;
        }

        /// <summary>While there are so many invocations left: so many calls.</summary>
        private static void Turns(IL il, int unroll, LoopCall call)
        {
            object turn = il.Label(), test = il.Label();
            il.Branch(OpCodes.Br, test);
            il.Mark(turn);
            for (var i = 0; i < unroll; i++)
            {
                call.Emit();
                call.Drop();
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

        private MethodInfo GenerateOnce()
        {
            var method = IL.Method("Tare." + body.Name + ".Once", typeof(object), new[] { typeof(LoopState) });
            var il = new IL(method);
            var call = new LoopCall(il, body, arguments, true);
            call.Load();
            call.Emit();
            call.Box();
            il.Op(OpCodes.Ret);
            return method;
        }

        /// <summary>An empty method of the same signature, in a class as users write them.</summary>
        private MethodInfo Empty(out object target)
        {
            if (module == null)
            {
                var name = new AssemblyName("Tare.Empty");
                var define = IL.TypeOf("AssemblyBuilder").GetMethod("DefineDynamicAssembly", new[] { typeof(AssemblyName), IL.TypeOf("AssemblyBuilderAccess") })
                    ?? throw new MissingMethodException("AssemblyBuilder.DefineDynamicAssembly");
                var assembly = define.Invoke(null, new[] { name, Enum.ToObject(IL.TypeOf("AssemblyBuilderAccess"), 1) });
                module = IL.Invoke(assembly, "DefineDynamicModule", new[] { typeof(string) }, "Tare.Empty");
            }
            var type = IL.Invoke(module, "DefineType", new[] { typeof(string), typeof(TypeAttributes) }, "Empty" + count++, TypeAttributes.Public | TypeAttributes.Class);
            IL.Invoke(type, "DefineDefaultConstructor", new[] { typeof(MethodAttributes) }, MethodAttributes.Public);
            var attributes = MethodAttributes.Public | (body.IsStatic ? MethodAttributes.Static : 0);
            var method = IL.Invoke(type, "DefineMethod", new[] { typeof(string), typeof(MethodAttributes), typeof(Type), typeof(Type[]) },
                "Empty", attributes, body.ReturnType, parameters);
            IL.Invoke(method, "SetImplementationFlags", new[] { typeof(MethodImplAttributes) }, MethodImplAttributes.NoInlining);
            var il = new IL(method);
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
            var made = ((TypeInfo)IL.Invoke(type, "CreateTypeInfo", System.Type.EmptyTypes)).AsType();
            target = body.IsStatic ? null : Activator.CreateInstance(made);
            return made.GetMethod("Empty");
        }
    }
}
