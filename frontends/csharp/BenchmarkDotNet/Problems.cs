// What the library's validators, and those of the user, say of the cases.

using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;

namespace Tare.BenchmarkDotNet;

/// <summary>Errors cost the benchmarks that they name, or all of their class; the library ends the whole run. Warnings of the user's validators are notes.</summary>
internal sealed class Problems
{
    private const string Results = "ReturnValueValidator";

    /// <summary>What the user need not ask for.</summary>
    private static readonly string[] AlwaysThere = { "MemoryDiagnoser", "UnresolvedDiagnoser" };

    /// <summary>What is nearest to those that nothing does the same as.</summary>
    private static readonly Dictionary<string, string> Instead = new Dictionary<string, string>
    {
        ["NativeMemoryProfiler"] = "memory of native code is not counted; bytes of managed memory always are",
        ["DotMemoryDiagnoser"] = "`tare run --diagnose allocations` shows who allocates",
        ["DotTraceDiagnoser"] = "`tare run --diagnose profile` shows where the time goes",
    };

    /// <summary>
    /// Of the library's own those that look at declarations and results. The others look at what it would generate, build and run; what
    /// `ExecutionValidator` does is done before every measurement.
    /// </summary>
    private static readonly string[] OfDeclarations =
    {
        "BaselineValidator", Results, "SetupCleanupValidator", "ParamsValidator", "ParamsAllValuesValidator", "JitOptimizationsValidator", "DeferredExecutionValidator",
    };
    private readonly Dictionary<BenchmarkCase, string> ofCase = [];

    private Problems()
    {
    }

    internal static Problems Of(IReadOnlyList<BenchmarkCase> cases)
    {
        var problems = new Problems();
        foreach (var same in cases.GroupBy(c => c.Descriptor.Type))
        {
            var all = same.ToList();
            foreach (var error in Errors(all))
            {
                var named = error.BenchmarkCase == null ? all : all.Where(c => c == error.BenchmarkCase).ToList();
                foreach (var one in named.Where(c => error.IsCritical && !problems.ofCase.ContainsKey(c)))
                {
                    problems.ofCase[one] = error.Message;
                }
            }
        }
        return problems;
    }

    /// <summary>Null: nothing is wrong with it.</summary>
    internal string? Of(BenchmarkCase one) => ofCase.TryGetValue(one, out var problem) ? problem : null;

    private static IEnumerable<ValidationError> Errors(List<BenchmarkCase> cases)
    {
        var config = cases[0].Config;
        Discovery.AllowsUnoptimisedReferences |= config.Options.HasFlag(ConfigOptions.DisableOptimizationsValidator);
        foreach (var name in config.GetDiagnosers().Where(one => Carried.DiagnoserOf(one) == null).Select(one => one.GetType().Name).Where(name => !AlwaysThere.Contains(name)))
        {
            Notes.WithoutEffect(name, Instead.TryGetValue(name, out var instead) ? instead : "there is no such diagnoser yet");
        }
        var errors = new List<ValidationError>();
        foreach (var validator in config.GetValidators())
        {
            var name = validator.GetType().Name;
            var isOfUser = validator.GetType().Assembly != typeof(IValidator).Assembly;
            if (!isOfUser && !OfDeclarations.Contains(name))
            {
                continue;
            }
            try
            {
                var found = Found(validator, new ValidationParameters(cases, config)).ToList();
                errors.AddRange(found.Where(error => error.IsCritical));
                foreach (var warning in found.Where(error => !error.IsCritical && (isOfUser || name == Results)))
                {
                    Notes.Say(warning.Message);
                }
            }
            catch (Exception thrown)
            {
                // It may be code of the user.
                errors.Add(new ValidationError(true, $"the validator `{name}` threw {Thrown.Text(thrown)}"));
            }
        }
        return errors.Distinct();
    }

    /// <summary>From version 0.16 on what a validator finds is awaited.</summary>
    private static IEnumerable<ValidationError> Found(IValidator validator, ValidationParameters parameters)
    {
        var type = typeof(IValidator);
        var found = (type.GetMethod("Validate") ?? type.GetMethod("ValidateAsync"))!.Invoke(validator, [parameters])!;
        return found as IEnumerable<ValidationError> ?? All((IAsyncEnumerable<ValidationError>)found);
    }

    private static IEnumerable<ValidationError> All(IAsyncEnumerable<ValidationError> found)
    {
        var errors = found.GetAsyncEnumerator();
        while (errors.MoveNextAsync().AsTask().GetAwaiter().GetResult())
        {
            yield return errors.Current;
        }
    }
}
