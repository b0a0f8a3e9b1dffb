// The loop around a benchmark: generated for each one, so that benchmarks share neither a delegate nor a profile.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace Tare
{
    /// <summary>What a generated loop reads: the compiler can know nothing of it.</summary>
    internal sealed class LoopState
    {
        internal object Target;
        internal IntPtr Function;
        internal object[] Arguments;

        /// <summary>The empty method, which the rolled loop calls beside the body.</summary>
        internal object EmptyTarget;
        internal IntPtr EmptyFunction;
    }

    /// <summary>Runs so many invocations.</summary>
    internal delegate void Repeat(LoopState state, long invocations);

    /// <summary>Runs one invocation and gives what it returned.</summary>
    internal delegate object Once(LoopState state);

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

        /// <summary>The same of the rolled loop, each of them with two calls: a share of its turn is twice that of the other loop.</summary>
        internal const int RolledUnroll = Unroll / 2;

        /// <summary>Calls of the empty method after which the runtime compiles it again.</summary>
        private const int Often = 4 * Unroll;

        /// <summary>Steps by which a loop is moved at most, of about four bytes each: over a line of the cache.</summary>
        private const int ShiftMax = 16;

        private static object module;
        private static int count;

        private readonly MethodInfo body;
        private readonly object[] arguments;
        private readonly Type[] parameters;
        private readonly Random random;

        private Loop(MethodInfo body, object[] arguments, Random random)
        {
            this.body = body;
            this.arguments = arguments;
            this.random = random;
            parameters = body.GetParameters().Select(p => p.ParameterType).ToArray();
        }

        internal Repeat Workload { [MethodImpl(Clock.Optimised)] get; private set; }
        internal Repeat Overhead { [MethodImpl(Clock.Optimised)] get; private set; }
        internal Once Once { get; private set; }
        internal LoopState State { [MethodImpl(Clock.Optimised)] get; private set; }
        private Repeat Rolled { [MethodImpl(Clock.Optimised)] get; set; }

        /// <summary>The loops of a body, each placed elsewhere by `random`; null: as they come.</summary>
        internal static Loop Of(MethodInfo body, object target, object[] arguments, Random random)
        {
            var loop = new Loop(body, arguments, random);
            loop.Workload = loop.Generate("Loop", true, false);
            loop.Rolled = loop.Generate("Rolled", true, true);
            loop.Overhead = loop.Generate("Overhead", false, true);
            loop.Once = (Once)loop.GenerateOnce().CreateDelegate(typeof(Once));
            var empty = loop.Empty(out var emptyTarget);
            var address = Address(empty);
            loop.State = new LoopState
            {
                Target = target, Function = Address(body), Arguments = arguments, EmptyTarget = emptyTarget, EmptyFunction = address,
            };
            // Compiles the loops.
            loop.Workload(loop.State, 0);
            loop.Rolled(loop.State, 0);
            loop.CallEmpty();
            return loop;
        }

        [MethodImpl(Clock.Optimised)]
        internal Repeat Of(Which which)
        {
            return which == Which.Workload ? Workload : which == Which.Overhead ? Overhead : Rolled;
        }

        /// <summary>Calls the empty method often: the runtime compiles it in steps, as it does others.</summary>
        [MethodImpl(Clock.Optimised)]
        internal void CallEmpty()
        {
            Overhead(State, Often);
        }

        private static IntPtr Address(MethodInfo method)
        {
            return method.MethodHandle.GetFunctionPointer();
        }

        /// <summary>A loop that calls the body, the empty method, or one after the other.</summary>
        private Repeat Generate(string name, bool callsBody, bool callsEmpty)
        {
            var method = IL.Method("Tare." + body.Name + "." + name, typeof(void), new[] { typeof(LoopState), typeof(long) });
            var il = new IL(method);
            var arguments = LoopCall.LoadArguments(il, body, this.arguments);
            var calls = new List<LoopCall>();
            if (callsBody)
            {
                calls.Add(LoopCall.OfBody(il, body, arguments));
            }
            if (callsEmpty)
            {
                calls.Add(LoopCall.OfEmpty(il, body, arguments));
            }
            Shift(il);
            Turns(il, calls.Count == 1 ? Unroll : RolledUnroll, calls);
            Turns(il, 1, calls);
            il.Op(OpCodes.Ret);
            return (Repeat)method.CreateDelegate(typeof(Repeat));
        }

        /// <summary>
        /// Instructions that never run, as many as chance wants: the loop behind them lies elsewhere in each launch, so that the luck of
        /// its place is seen as what it is, a difference of launches.
        /// </summary>
        private void Shift(IL il)
        {
            var count = random == null ? 0 : random.Next(ShiftMax);
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

        private MethodInfo GenerateOnce()
        {
            var method = IL.Method("Tare." + body.Name + ".Once", typeof(object), new[] { typeof(LoopState) });
            var il = new IL(method);
            var call = LoopCall.OfBody(il, body, LoopCall.LoadArguments(il, body, arguments));
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
