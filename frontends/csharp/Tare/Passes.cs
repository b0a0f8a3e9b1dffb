// What `diagnose` asks for: a diagnoser looks at the body in a process of its own, after all times were measured.

using System;
using System.Linq;

namespace Tare
{
    /// <summary>A diagnoser: what it gives of each iteration, and how it looks at one.</summary>
    internal abstract class Pass
    {
        private static readonly Func<Pass>[] All = { () => new MemoryPass(), () => new ThreadingPass(), () => new ExceptionPass() };

        internal abstract string Name { get; }

        /// <summary>Why this runtime cannot tell what it gives; null: it can.</summary>
        internal virtual string Missing => null;

        protected abstract Json[] Metrics { get; }

        /// <summary>What `hello` says of all diagnosers. One whose values the runtime cannot give is there too: asked for, it says so.</summary>
        internal static Json[] Declared()
        {
            return All.Select(make => make()).Select(pass => new Json().Add("name", pass.Name).Add("metrics", pass.Metrics)).ToArray();
        }

        /// <summary>The diagnoser of this name; null: there is none.</summary>
        internal static Pass Of(string name)
        {
            return All.Select(make => make()).FirstOrDefault(pass => pass.Name == name);
        }

        internal Json Run(Opened opened, int iterations, long invocations, long lead)
        {
            Begin(iterations);
            try
            {
                if (lead > 0)
                {
                    opened.IterationSetUp();
                    Body(opened, lead);
                    opened.IterationCleanUp();
                }
                for (var i = 0; i < iterations; i++)
                {
                    opened.IterationSetUp();
                    Before(i);
                    Body(opened, invocations);
                    After(i);
                    opened.IterationCleanUp();
                }
            }
            finally
            {
                End();
            }
            return new Json("diagnosed").Add("metrics", Values());
        }

        /// <summary>The name and the direction of a metric; that of an operation has no `per`.</summary>
        protected static Json Metric(string name, string unit = null, string per = null)
        {
            return new Json().Add("name", name).Add("unit", unit).Add("better", "lower").Add("per", per);
        }

        protected abstract void Begin(int iterations);

        protected abstract void Before(int iteration);

        protected abstract void After(int iteration);

        protected virtual void End()
        {
        }

        protected abstract Json Values();

        private static void Body(Opened opened, long count)
        {
            try
            {
                opened.Loop.Workload(opened.Loop.State, count);
            }
            catch (Exception thrown)
            {
                throw new StepException("body", thrown);
            }
        }
    }
}
