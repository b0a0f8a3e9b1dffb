// A program that BenchmarkDotNet runs, with Tare under every job: the library lists, validates, prints and exports; Tare measures.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BenchmarkDotNet.Characteristics;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.Parameters;
using BenchmarkDotNet.Toolchains.Results;
using BenchmarkDotNet.Validators;

namespace Tare.BenchmarkDotNet;

/// <summary>`job.WithToolchain(TareToolchain.Default)`: Tare measures the benchmarks of this job.</summary>
public sealed class TareToolchain : IToolchain, IGenerator, IBuilder, IExecutor
{
    /// <summary>With the plan that `tare run` has by default.</summary>
    public static readonly TareToolchain Default = new("");

    private static readonly Dictionary<string, TareToolchain> Known = [];
    private readonly string options;
    private readonly List<BenchmarkCase> waiting = [];

    private TareToolchain(string options) => this.options = options;

    // For the library it is all of a toolchain: nothing is generated or built, and `tare` executes.
    public string Name => "Tare";
    public IGenerator Generator => this;
    public IBuilder Builder => this;
    public IExecutor Executor => this;
    public bool IsInProcess => false;

    public override string ToString() => Name;

    /// <summary>With options of `tare run`, such as `--quick`.</summary>
    public static TareToolchain With(string options)
    {
        lock (Known)
        {
            if (!Known.TryGetValue(options, out var toolchain))
            {
                toolchain = options.Length == 0 ? Default : new TareToolchain(options);
                Known.Add(options, toolchain);
            }
            return toolchain;
        }
    }

    public IEnumerable<ValidationError> Validate(BenchmarkCase benchmarkCase, IResolver resolver)
    {
        if (!Results.AreThere && Start.FindTare() == null)
        {
            yield return new ValidationError(true, "`tare` was not found: put it on the PATH, or set the variable TARE to its path", benchmarkCase);
        }
    }

    /// <summary>Before version 0.13.3.</summary>
    public bool IsSupported(BenchmarkCase benchmarkCase, ILogger logger, IResolver resolver) => Results.AreThere || Start.FindTare() != null;

    public GenerateResult GenerateProject(BuildPartition buildPartition, ILogger logger, string rootArtifactsFolderPath)
    {
        lock (waiting)
        {
            waiting.AddRange(buildPartition.Benchmarks.Select(info => info.BenchmarkCase));
        }
        return GenerateResult.Success(ArtifactsPaths.Empty, []);
    }

    public BuildResult Build(GenerateResult generateResult, BuildPartition buildPartition, ILogger logger) => BuildResult.Success(generateResult);

    /// <summary>The results of a case. With the first one all that were waiting are measured, in turn.</summary>
    public ExecuteResult Execute(ExecuteParameters executeParameters)
    {
        lock (waiting)
        {
            if (waiting.Count > 0)
            {
                var all = waiting.Distinct().ToList();
                waiting.Clear();
                Results.Measure(all, options);
            }
        }
        return Results.Of(executeParameters);
    }

    // From version 0.16 on the library awaits all of it.

    public async IAsyncEnumerable<ValidationError> ValidateAsync(BenchmarkCase benchmarkCase, IResolver resolver)
    {
        foreach (var error in Validate(benchmarkCase, resolver))
        {
            yield return await Task.FromResult(error);
        }
    }

    public ValueTask<GenerateResult> GenerateProjectAsync(BuildPartition buildPartition, ILogger logger, string rootArtifactsFolderPath, CancellationToken cancellationToken) =>
        new(GenerateProject(buildPartition, logger, rootArtifactsFolderPath));

    public ValueTask<BuildResult> BuildAsync(GenerateResult generateResult, BuildPartition buildPartition, ILogger logger, CancellationToken cancellationToken) =>
        new(Build(generateResult, buildPartition, logger));

    public ValueTask<ExecuteResult> ExecuteAsync(ExecuteParameters executeParameters, CancellationToken cancellationToken) =>
        new(Execute(executeParameters));
}

/// <summary>The configuration that puts Tare under every job.</summary>
internal static class Measured
{
    internal static IConfig By(string options)
    {
        var job = new Job();
        job.Infrastructure.Toolchain = TareToolchain.With(options);
        // Nothing is removed, and the library must not say so. The type and the word for it are others in other versions.
        var property = typeof(AccuracyMode).GetProperty("OutlierMode")!;
        var word = new[] { "DontRemove", "None" }.First(name => Enum.GetNames(property.PropertyType).Contains(name));
        property.SetValue(job.Accuracy, Enum.Parse(property.PropertyType, word), null);
        var config = ManualConfig.CreateEmpty();
        Add(config, "Job", job.AsMutator());
        if (Results.AreThere)
        {
            Add<IFilter>(config, "Filter", new SimpleFilter(Results.AreOf));
        }
        Add<IColumn>(config, "Column", new ResultColumn("95 %", "95 % confidence interval of the time over processes, by Tare", r => r.Interval),
            new ResultColumn("Verdict", "faster, slower, same or unclear against the baseline, by Tare", r => r.Verdict));
        return config;
    }

    /// <summary>Version 0.12.0 has no `AddJob`, `AddFilter` and so on, and 0.16 has nothing else.</summary>
    internal static void Add<T>(ManualConfig config, string what, params T[] values)
    {
        (typeof(ManualConfig).GetMethod($"Add{what}", [typeof(T[])]) ?? typeof(ManualConfig).GetMethod("Add", [typeof(T[])]))!.Invoke(config, [values]);
    }
}
