// A benchmark with its parameters filled in: a line of the list.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Tare
{
    /// <summary>A named value.</summary>
    internal sealed class Parameter
    {
        private string code;

        internal Parameter(string name, object value, MemberInfo member, string text, bool isJob = false)
        {
            IsJob = isJob;
            Name = name;
            Value = value;
            Member = member;
            Text = text;
        }

        internal string Name { get; }
        internal object Value { get; }

        /// <summary>It says how the process was started, and the code does not see it.</summary>
        internal bool IsJob { get; }

        /// <summary>The field or property that gets the value; null: an argument of the method.</summary>
        internal MemberInfo Member { get; }
        internal string Text { get; }

        /// <summary>How a process that measures finds the value (<see cref="ValueText"/>); null: it cannot.</summary>
        internal string Code { get => code ?? (code = ValueText.OfLong(Value) ?? Place); set => code = value; }

        /// <summary>Where it stands in its source, as a code has it.</summary>
        internal string Place { get; set; }

        /// <summary>The type that the protocol has for it.</summary>
        internal string Type
        {
            get
            {
                switch (Value)
                {
                    case bool _:
                        return "boolean";
                    case double _:
                    case float _:
                        return "float";
                    case Enum _:
                        return null;
                    case string _:
                        return "text";
                    default:
                        return Parameters.IsWhole(Value) ? "integer" : null;
                }
            }
        }
    }

    internal sealed class Benchmark
    {
        internal Type Type;
        internal MethodInfo Method;
        internal BenchmarkAttribute Attribute;
        internal string Group;
        internal string Name;
        internal IReadOnlyList<Parameter> Parameters = new Parameter[0];
        internal string[] Categories = new string[0];
        internal string Invalid;
        internal IReadOnlyList<MethodInfo> GlobalSetups = new MethodInfo[0];
        internal IReadOnlyList<MethodInfo> GlobalCleanups = new MethodInfo[0];
        internal IReadOnlyList<MethodInfo> IterationSetups = new MethodInfo[0];
        internal IReadOnlyList<MethodInfo> IterationCleanups = new MethodInfo[0];
        internal IReadOnlyList<SettingAttribute> Settings = new SettingAttribute[0];

        /// <summary>Names of the diagnosers that its declaration asks for.</summary>
        internal IReadOnlyList<string> Diagnosers = new string[0];

        /// <summary>The jobs that start a process in this way, where the class has several.</summary>
        internal IReadOnlyList<NamedJob> Jobs = new NamedJob[0];

        /// <summary>Another library declares it.</summary>
        internal bool IsRead;

        /// <summary>Its loops, compiled ahead of time; null: they are made when it is opened.</summary>
        internal Func<Random, LoopCode> Code;

        internal object[] Arguments => Parameters.Where(p => p.Member == null && !p.IsJob).Select(p => p.Value).ToArray();

        internal bool IsAsync => Awaiting.Of(Method.ReturnType) != null;

        /// <summary>Something is done before or after each iteration.</summary>
        internal bool IsIterated => IterationSetups.Count + IterationCleanups.Count > 0;

        /// <summary>The same with other parameters.</summary>
        internal Benchmark With(IReadOnlyList<Parameter> parameters)
        {
            var one = (Benchmark)MemberwiseClone();
            one.Parameters = parameters;
            return one;
        }

        /// <summary>The line of the list.</summary>
        internal Json Line(int index)
        {
            var setUps = new[] { GlobalSetups, GlobalCleanups, IterationSetups, IterationCleanups }
                .Zip(new[] { "global", "global-clean-up", "iteration", "iteration-clean-up" }, (steps, name) => steps.Count > 0 ? name : null);
            var environment = Environment(Settings);
            if ((IsRead || Ahead.IsWanted) && Invalid == null)
            {
                // Its processes are for this benchmark alone, and need not read any declaration.
                environment = (environment ?? new Json()).Add(Case.Variable, Case.Of(this, index)).Add(Survey.HooksVariable, Ahead.IsWanted ? null : Survey.Hooks);
            }
            var launch = environment == null ? null : new Json().Add("environment", environment);
            var randomizes = Settings.LastOrDefault(s => s.RandomizesMemory != null)?.RandomizesMemory;
            return new Json("benchmark")
                .Add("index", index)
                .Add("group", Group)
                .Add("name", Name)
                .Add("parameters", Parameters.Select(p => new Json().Add("name", p.Name).Add("value", p.Text).Add("type", p.Type)))
                .Add("file", Attribute.File == string.Empty ? null : Attribute.File)
                .Add("line", Attribute.Line == 0 ? null : (object)Attribute.Line)
                .Add("baseline", Attribute.Baseline)
                // Fewer are invalid, but a line of the list has at least 1.
                .Add("operations", Math.Max(1, Attribute.OperationsPerInvoke))
                .Add("categories", Categories)
                .Add("set_ups", setUps.Where(name => name != null))
                .Add("returns", Method.ReturnType != typeof(void))
                .Add("threads", IsAsync ? 0 : 1)
                .Add("strategy", StrategyOf(Settings))
                .Add("policy", randomizes == null ? null : new Json().Add("memory_randomization", randomizes))
                .Add("invocations_max", IsIterated ? (object)Settings.LastOrDefault(s => s.InvocationsMax > 0)?.InvocationsMax : null)
                .Add("diagnosers", Diagnosers.Count == 0 ? null : Diagnosers)
                .Add("launch", launch)
                .Add("jobs", Jobs.Count == 0 ? null : Jobs.Select(j => j.Line()))
                .Add("code", CodeName.Of(this))
                .Add("invalid", Invalid);
        }

        /// <summary>The variables that settings name; null: none.</summary>
        internal static Json Environment(IEnumerable<SettingAttribute> settings)
        {
            var environment = new Dictionary<string, string>();
            foreach (var setting in settings.Where(s => s.Name != null))
            {
                environment[setting.Name] = setting.Value;
            }
            return environment.Count == 0 ? null : environment.Aggregate(new Json(), (o, v) => o.Add(v.Key, v.Value));
        }

        /// <summary>The protocol's name of the strategy that settings name last; null: none.</summary>
        internal static string StrategyOf(IEnumerable<SettingAttribute> settings)
        {
            var strategy = settings.LastOrDefault(s => s.Strategy != null)?.Strategy;
            return strategy == Strategy.ColdStart ? "cold-start" : strategy == Strategy.Monitoring ? "monitoring" : null;
        }
    }
}
