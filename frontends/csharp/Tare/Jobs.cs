// The jobs of a class: several ways to start the processes of its benchmarks.

using System;
using System.Collections.Generic;
using System.Linq;

namespace Tare;

/// <summary>A job with a name that no other job of the class has. `isBase`: each benchmark is compared with itself under this job.</summary>
internal sealed class NamedJob(JobAttribute declared, string name, bool isBase)
{
    internal JobAttribute Declared { get; } = declared;
    internal string Name { get; } = name;

    /// <summary>As a line of the list has it.</summary>
    internal Json Line() => new Json()
        .Add("name", Name)
        .Add("environment", Benchmark.Environment(Declared.Settings))
        .Add("runtime", Declared.Runtime)
        .Add("strategy", Benchmark.StrategyOf(Declared.Settings))
        .Add("base", isBase ? true : null);
}

internal static class Jobs
{
    /// <summary>
    /// The jobs of a class; those that start a process in the same way, and differ by their runtime alone, stand together. One that
    /// changes nothing, if there is none.
    /// </summary>
    internal static List<List<NamedJob>> Of(Type type, bool hasBaselineMethod) => Named(type, Discovery.Attributes<JobAttribute>(type.Assembly, type), hasBaselineMethod);

    /// <summary>It changes something.</summary>
    internal static bool IsOwn(JobAttribute job) => job.Settings.Count > 0 || job.Runtime != null;

    /// <summary>What jobs have in common that start a process in the same way on the same runtime: they are one.</summary>
    internal static string Identity(JobAttribute job) => $"{Way(job)}\n{job.Runtime}";

    /// <summary>The same of jobs that were read elsewhere.</summary>
    internal static List<List<NamedJob>> Named(Type type, IEnumerable<JobAttribute> jobs, bool hasBaselineMethod)
    {
        var all = jobs.GroupBy(Identity).Select(alike => alike.ToList()).DefaultIfEmpty([new JobAttribute("Default")]).ToList();
        JobAttribute Of(List<JobAttribute> alike) => alike.FirstOrDefault(j => j.Baseline) ?? alike[0];
        // A job that says so; else the first, unless the methods of the class are compared with each other.
        var first = all.Select(Of).FirstOrDefault(j => j.Baseline) ?? (hasBaselineMethod ? null : Of(all[0]));
        var names = new HashSet<string>();
        string Unique(string name)
        {
            var unique = name;
            for (var i = 2; !names.Add(unique); i++)
            {
                unique = $"{name}#{i}";
            }
            return unique;
        }

        var named = all.Select(alike => new NamedJob(Of(alike), Unique(Together(type, alike)), Of(alike) == first));
        return named.GroupBy(j => Way(j.Declared)).Select(g => g.ToList()).ToList();
    }

    /// <summary>The name of jobs that start a process in the same way, which are one.</summary>
    private static string Together(Type type, List<JobAttribute> alike)
    {
        var names = alike.Select(job => string.IsNullOrEmpty(job.Id) ? "Job" : Texts.Visible(job.Id!)).Distinct().ToList();
        if (names.Count == 1)
        {
            return names[0];
        }
        var listed = string.Join(", ", names.Select(name => $"`{name}`"));
        Notes.Say($"the jobs {listed} of `{Discovery.NameOf(type)}` differ only in settings without effect: they are measured as one");
        return $"{names[0]} = {names[1]}" + (names.Count == 2 ? "" : $" and {names.Count - 2} more");
    }

    /// <summary>How a process is started.</summary>
    private static string Way(JobAttribute job) =>
        string.Join("\n", job.Settings.Select(s => $"{s.Name}={s.Value}{s.Strategy}{s.InvocationsMax}{s.RandomizesMemory}"));
}
