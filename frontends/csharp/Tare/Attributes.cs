// What a user writes: the attributes of benchmark classes and methods, with the names that .NET developers know.

using System;
using System.Runtime.CompilerServices;

namespace Tare
{
    /// <summary>The method is a benchmark: its time is measured.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    public class BenchmarkAttribute : Attribute
    {
        /// <summary>The compiler fills in where the benchmark is declared.</summary>
        public BenchmarkAttribute([CallerLineNumber] int line = 0, [CallerFilePath] string file = "")
        {
            Line = line;
            File = file;
        }

        /// <summary>Its name in tables, instead of the method's name.</summary>
        public string Description { get; set; }

        /// <summary>The others of the class are compared with this one.</summary>
        public bool Baseline { get; set; }

        /// <summary>Operations that one call does; times and memory are per operation.</summary>
        public int OperationsPerInvoke { get; set; } = 1;

        internal int Line { get; }
        internal string File { get; }
    }

    /// <summary>A field or property; the benchmark is measured for each of its values.</summary>
    public abstract class ParameterAttribute : Attribute
    {
        /// <summary>Parameters with a lower one come first.</summary>
        public int Priority { get; set; }
    }

    /// <summary>The values of a field or property.</summary>
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
    public class ParamsAttribute : ParameterAttribute
    {
        /// <summary>One or several values.</summary>
        public ParamsAttribute(params object[] values)
        {
            // `[Params(null)]` is the single value null.
            Values = values ?? new object[] { null };
        }

        /// <summary>The values in their order.</summary>
        public object[] Values { get; protected set; }
    }

    /// <summary>The values of a field or property come from a method or property that returns a list.</summary>
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
    public class ParamsSourceAttribute : ParameterAttribute
    {
        /// <summary>A member of the benchmark class.</summary>
        public ParamsSourceAttribute(string name)
        {
            Name = name;
        }

        /// <summary>A static member of another type.</summary>
        public ParamsSourceAttribute(Type type, string name)
        {
            Type = type;
            Name = name;
        }

        /// <summary>Name of the member.</summary>
        public string Name { get; }

        /// <summary>The type that contains it; null: the benchmark class.</summary>
        public Type Type { get; }
    }

    /// <summary>All values of a `bool` or an enumeration.</summary>
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
    public class ParamsAllValuesAttribute : ParameterAttribute
    {
    }

    /// <summary>Arguments of a call; use it once for each call to measure.</summary>
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public class ArgumentsAttribute : ParameterAttribute
    {
        /// <summary>One value for each parameter of the method.</summary>
        public ArgumentsAttribute(params object[] values)
        {
            Values = values ?? new object[] { null };
        }

        /// <summary>The values in their order.</summary>
        public object[] Values { get; }
    }

    /// <summary>Arguments come from a method or property that returns a list of them.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    public class ArgumentsSourceAttribute : ParameterAttribute
    {
        /// <summary>A member of the benchmark class.</summary>
        public ArgumentsSourceAttribute(string name)
        {
            Name = name;
        }

        /// <summary>A static member of another type.</summary>
        public ArgumentsSourceAttribute(Type type, string name)
        {
            Type = type;
            Name = name;
        }

        /// <summary>Name of the member.</summary>
        public string Name { get; }

        /// <summary>The type that contains it; null: the benchmark class.</summary>
        public Type Type { get; }
    }

    /// <summary>A step around the measured code, for all benchmarks of the class or for the named ones.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    public abstract class StepAttribute : Attribute
    {
        /// <summary>Name of the only benchmark that has it, or several names separated by commas.</summary>
        public string Target
        {
            get => Targets.Length == 1 ? Targets[0] : null;
            set => Targets = string.IsNullOrEmpty(value) ? new string[0] : value.Split(',');
        }

        /// <summary>Names of the benchmarks that have it; none: all benchmarks without a step of their own.</summary>
        public string[] Targets { get; set; } = new string[0];
    }

    /// <summary>Runs once in every process before the benchmark.</summary>
    public class GlobalSetupAttribute : StepAttribute
    {
    }

    /// <summary>Runs once in every process after the benchmark.</summary>
    public class GlobalCleanupAttribute : StepAttribute
    {
    }

    /// <summary>Runs before every iteration, which is then a single call.</summary>
    public class IterationSetupAttribute : StepAttribute
    {
    }

    /// <summary>Runs after every iteration, which is then a single call.</summary>
    public class IterationCleanupAttribute : StepAttribute
    {
    }

    /// <summary>Words by which benchmarks are chosen.</summary>
    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
    public class BenchmarkCategoryAttribute : Attribute
    {
        /// <summary>One or several words.</summary>
        public BenchmarkCategoryAttribute(params string[] categories)
        {
            Categories = categories ?? new string[0];
        }

        /// <summary>The words.</summary>
        public string[] Categories { get; }
    }

    /// <summary>Types for an open generic class; use it once for each set of types to measure.</summary>
    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public class GenericTypeArgumentsAttribute : Attribute
    {
        /// <summary>One type for each parameter of the class.</summary>
        public GenericTypeArgumentsAttribute(params Type[] types)
        {
            GenericTypeArguments = types ?? new Type[0];
        }

        /// <summary>The types in their order.</summary>
        public Type[] GenericTypeArguments { get; }
    }

    /// <summary>Benchmarks of the class are compared within their category.</summary>
    [AttributeUsage(AttributeTargets.Class)]
    public class GroupByCategoryAttribute : Attribute
    {
        /// <summary>Within their category.</summary>
        public GroupByCategoryAttribute()
            : this(true)
        {
        }

        /// <summary>Within their category, or not.</summary>
        protected GroupByCategoryAttribute(bool isMeant)
        {
            IsMeant = isMeant;
        }

        internal bool IsMeant { get; }
    }

    /// <summary>How the calls become measurements.</summary>
    public enum Strategy
    {
        /// <summary>Many calls, timed together.</summary>
        Throughput,

        /// <summary>Each call separately, including the first.</summary>
        Monitoring,

        /// <summary>Only the first call of a process.</summary>
        ColdStart,
    }

    /// <summary>How the processes of a benchmark are started and measured; all settings are optional.</summary>
    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
    public class SettingAttribute : Attribute
    {
        /// <summary>An environment variable.</summary>
        public SettingAttribute(string name, string value)
        {
            Name = name;
            Value = value;
        }

        /// <summary>How the calls become measurements.</summary>
        public SettingAttribute(Strategy strategy)
        {
            Strategy = strategy;
        }

        /// <summary>The maximum of calls per iteration, because its set-up prepared no more.</summary>
        public SettingAttribute(int invocationsMax)
        {
            InvocationsMax = invocationsMax;
        }

        /// <summary>Several settings at once, each of them optional.</summary>
        protected SettingAttribute(Strategy? strategy, int? invocationsMax)
        {
            Strategy = strategy;
            InvocationsMax = invocationsMax;
        }

        /// <summary>Whether every visit gets a new memory layout; null: as the command line says.</summary>
        protected SettingAttribute(bool randomizesMemory)
        {
            RandomizesMemory = randomizesMemory;
        }

        internal string Name { get; }
        internal string Value { get; }
        internal Strategy? Strategy { get; }
        internal int? InvocationsMax { get; }
        internal bool? RandomizesMemory { get; }
    }

    /// <summary>Before each visit except the first: the clean-up, a new instance at another address, the set-up.</summary>
    public class MemoryRandomizationAttribute : SettingAttribute
    {
        /// <summary>Whether it is on.</summary>
        public MemoryRandomizationAttribute(bool enable = true)
            : base(enable)
        {
        }
    }

    /// <summary>One of several ways to start the processes of a benchmark; each is measured.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly, AllowMultiple = true)]
    public class JobAttribute : Attribute
    {
        /// <summary>Its name in tables, and its environment variables as name, value, name, value.</summary>
        public JobAttribute(string id, params string[] environment)
        {
            Id = id;
            for (var i = 0; i + 1 < environment.Length; i += 2)
            {
                Settings.Add(new SettingAttribute(environment[i], environment[i + 1]));
            }
        }

        /// <summary>Its name in tables.</summary>
        public string Id { get; }

        /// <summary>The version of the runtime, such as `8.0`; null: the program's runtime.</summary>
        public string Runtime { get; set; }

        /// <summary>The other jobs are compared with this one.</summary>
        public bool Baseline { get; set; }

        /// <summary>Settings that complete those of the benchmark.</summary>
        protected internal System.Collections.Generic.List<SettingAttribute> Settings { get; } = new System.Collections.Generic.List<SettingAttribute>();
    }

    /// <summary>Provides jobs that are created by code.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
    public abstract class JobSourceAttribute : Attribute
    {
        /// <summary>The jobs in their order; none: the default job.</summary>
        protected internal abstract JobAttribute[] Jobs { get; }

        /// <summary>Filters that choose benchmarks of the class; none: all are measured.</summary>
        protected internal virtual Func<Candidate, bool>[] Filters => new Func<Candidate, bool>[0];
    }

    /// <summary>Marks an interface: attributes that implement it provide jobs too.</summary>
    [AttributeUsage(AttributeTargets.Interface)]
    public abstract class JobReaderAttribute : Attribute
    {
        /// <summary>The jobs of an attribute that has the interface.</summary>
        protected internal abstract JobAttribute[] Read(object attribute);

        /// <summary>The filters of an attribute that has the interface.</summary>
        protected internal virtual Func<Candidate, bool>[] Filters(object attribute) => new Func<Candidate, bool>[0];
    }

    /// <summary>Marks something in source code for another tool that has no effect here.</summary>
    public abstract class WithoutEffectAttribute : Attribute
    {
        /// <summary>What to use instead.</summary>
        protected WithoutEffectAttribute(string instead)
        {
            Instead = instead;
        }

        internal string Instead { get; }
    }
}
