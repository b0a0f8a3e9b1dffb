// The jobs of a class: several ways to start the processes of its benchmarks.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Tare
{
    /// <summary>A job with a name that no other job of the class has.</summary>
    internal sealed class NamedJob
    {
        internal NamedJob(JobAttribute declared, string name, bool isBase)
        {
            Declared = declared;
            Name = name;
            IsBase = isBase;
        }

        internal JobAttribute Declared { get; }
        internal string Name { get; }

        /// <summary>Each benchmark is compared with itself under this job.</summary>
        internal bool IsBase { get; }

        /// <summary>As a line of the list has it.</summary>
        internal Json Line()
        {
            return new Json()
                .Add("name", Name)
                .Add("environment", Benchmark.Environment(Declared.Settings))
                .Add("runtime", Declared.Runtime)
                .Add("strategy", Benchmark.StrategyOf(Declared.Settings))
                .Add("base", IsBase ? (object)true : null);
        }
    }

    internal static class Jobs
    {
        /// <summary>Name of a job that was given none.</summary>
        private const string Unnamed = "Job";

        /// <summary>Jobs of all classes, which the program has given.</summary>
        internal static readonly List<JobAttribute> Given = new List<JobAttribute>();

        /// <summary>
        /// The jobs of a class; those that start a process in the same way, and differ by their runtime alone, stand together. One that
        /// changes nothing, if there is none.
        /// </summary>
        internal static IReadOnlyList<IReadOnlyList<NamedJob>> Of(Type type, bool hasBaselineMethod)
        {
            return Named(type, Declared(type.Assembly).Concat(Declared(type)).Concat(Given.Where(IsOwn)).ToList(), hasBaselineMethod);
        }

        /// <summary>It changes something.</summary>
        internal static bool IsOwn(JobAttribute job) => job.Settings.Count > 0 || job.Runtime != null;

        /// <summary>What jobs have in common that start a process in the same way on the same runtime: they are one.</summary>
        internal static string Identity(JobAttribute job) => Way(job) + "\n" + job.Runtime;

        /// <summary>The same of jobs that were read elsewhere.</summary>
        internal static IReadOnlyList<IReadOnlyList<NamedJob>> Named(Type type, IReadOnlyList<JobAttribute> jobs, bool hasBaselineMethod)
        {
            var all = new List<JobAttribute>();
            var together = new Dictionary<JobAttribute, string>();
            foreach (var alike in jobs.GroupBy(Identity))
            {
                var one = alike.FirstOrDefault(j => j.Baseline) ?? alike.First();
                all.Add(one);
                together[one] = Together(type, alike.Select(NameOf).Distinct().ToList());
            }
            if (all.Count == 0)
            {
                all.Add(new JobAttribute("Default"));
                together[all[0]] = "Default";
            }
            // A job that says so; else the first, unless the methods of the class are compared with each other.
            var first = all.FirstOrDefault(j => j.Baseline) ?? (hasBaselineMethod ? null : all[0]);
            var names = new HashSet<string>();
            string Unique(string name)
            {
                var unique = name;
                for (var i = 2; !names.Add(unique); i++)
                {
                    unique = name + "#" + i;
                }
                return unique;
            }

            var named = all.Select(j => new NamedJob(j, Unique(together[j]), j == first)).ToList();
            return named.GroupBy(j => Way(j.Declared)).Select(g => (IReadOnlyList<NamedJob>)g.ToList()).ToList();
        }

        private static string NameOf(JobAttribute job) => string.IsNullOrEmpty(job.Id) ? Unnamed : Texts.Visible(job.Id);

        /// <summary>The name of jobs that start a process in the same way, which are one.</summary>
        private static string Together(Type type, List<string> names)
        {
            if (names.Count == 1)
            {
                return names[0];
            }
            Tare.Given.Say("the jobs " + string.Join(", ", names.Select(name => "`" + name + "`")) + " of `" + Discovery.NameOf(type)
                + "` differ only in settings without effect: they are measured as one");
            return names.Count == 2 ? names[0] + " = " + names[1] : names[0] + " = " + names[1] + " and " + (names.Count - 2) + " more";
        }

        /// <summary>How a process is started.</summary>
        private static string Way(JobAttribute job)
        {
            return string.Join("\n", job.Settings.Select(s => s.Name + "=" + s.Value + s.Strategy + s.InvocationsMax + s.RandomizesMemory));
        }

        private static IEnumerable<JobAttribute> Declared(ICustomAttributeProvider place)
        {
            foreach (var attribute in place.GetCustomAttributes(true))
            {
                switch (attribute)
                {
                    case JobAttribute job:
                        yield return job;
                        break;
                    case JobSourceAttribute source:
                        foreach (var job in source.Jobs)
                        {
                            yield return job;
                        }
                        break;
                    default:
                        var readers = attribute.GetType().GetInterfaces().SelectMany(i => i.GetCustomAttributes(typeof(JobReaderAttribute), false));
                        foreach (var job in readers.Cast<JobReaderAttribute>().SelectMany(r => r.Read(attribute)))
                        {
                            yield return job;
                        }
                        break;
                }
            }
        }
    }
}
