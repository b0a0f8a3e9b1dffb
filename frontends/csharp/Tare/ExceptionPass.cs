// The diagnoser `exceptions`: how often something was thrown, on any thread. A handler of the runtime's event counts, which costs as much as
// the exception itself: it is there in this pass alone.

using System;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace Tare
{
    internal sealed class ExceptionPass : Pass
    {
        /// <summary>Its name.</summary>
        internal const string Called = "exceptions";

        private double[] thrown;
        private long count;

        internal override string Name => Called;

        /// <summary>A runtime may have the event and never raise it.</summary>
        internal override string Missing
        {
            get
            {
                AppDomain.CurrentDomain.FirstChanceException += Count;
                try
                {
                    throw new InvalidOperationException("thrown to test whether it is counted");
                }
                catch (InvalidOperationException)
                {
                    return Interlocked.Read(ref count) > 0 ? null : Runtime.Name + " does not report when an exception is thrown: .NET Core and .NET do";
                }
                finally
                {
                    AppDomain.CurrentDomain.FirstChanceException -= Count;
                }
            }
        }

        protected override Json[] Metrics => new[] { Metric("thrown") };

        protected override void Begin(int iterations)
        {
            thrown = new double[iterations];
            AppDomain.CurrentDomain.FirstChanceException += Count;
        }

        protected override void Before(int iteration)
        {
            ThreadingPass.Settle();
            thrown[iteration] = -Interlocked.Read(ref count);
        }

        protected override void After(int iteration)
        {
            ThreadingPass.Settle();
            thrown[iteration] += Interlocked.Read(ref count);
        }

        protected override void End()
        {
            AppDomain.CurrentDomain.FirstChanceException -= Count;
        }

        protected override Json Values()
        {
            return new Json().Add("thrown", thrown);
        }

        private void Count(object sender, FirstChanceExceptionEventArgs arguments)
        {
            Interlocked.Increment(ref count);
        }
    }
}
