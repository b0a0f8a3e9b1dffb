// What is counted beside the time where a class asks for it: in processes of their own, after all times were measured (`Passes.cs`).

using System;

namespace Tare
{
    /// <summary>Runs a diagnoser on the benchmarks of the class or assembly, as `tare run --diagnose NAME` does for all.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
    public class DiagnoserAttribute : Attribute
    {
        /// <summary>The name of a diagnoser that `tare list --tree` shows.</summary>
        public DiagnoserAttribute(string name)
        {
            Name = name;
        }

        /// <summary>Its name.</summary>
        public string Name { get; }
    }

    /// <summary>Lock contentions and completed work items of the thread pool, per operation (.NET Core 3.0 and later).</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
    public class ThreadingDiagnoserAttribute : DiagnoserAttribute
    {
        /// <summary>As `--diagnose threading`.</summary>
        public ThreadingDiagnoserAttribute()
            : base(ThreadingPass.Called)
        {
        }
    }

    /// <summary>Exceptions that are thrown on any thread, per operation, including caught ones.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
    public class ExceptionDiagnoserAttribute : DiagnoserAttribute
    {
        /// <summary>As `--diagnose exceptions`.</summary>
        public ExceptionDiagnoserAttribute()
            : base(ExceptionPass.Called)
        {
        }
    }

    /// <summary>Allocated bytes are counted for every benchmark, with or without this attribute.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
    public class MemoryDiagnoserAttribute : Attribute
    {
    }
}
