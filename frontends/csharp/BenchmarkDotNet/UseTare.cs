// How Tare comes into programs that use BenchmarkDotNet: a configuration that stands at the assembly, which the library adds to every other one.

using System;
using System.Linq;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;

namespace Tare.BenchmarkDotNet;

/// <summary>
/// `[assembly: UseTare]`: Tare measures what this assembly declares, and everything else stays with BenchmarkDotNet. `tare run` and `tare compare` add it
/// to what they build.
/// </summary>
/// <param name="options">Options of `tare run`, such as `--quick`.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class UseTareAttribute(string options = "") : Attribute, IConfigSource
{
    /// <summary>What is added to the configuration of each class.</summary>
    public IConfig Config
    {
        get
        {
            if (Link.IsThere)
            {
                // `tare` has started this process: it lists, and nothing is measured here.
                var config = new ManualConfig { ArtifactsPath = Reader.Artifacts, Options = ConfigOptions.DisableLogFile };
                Measured.Add<IFilter>(config, "Filter", Reader.Begin());
                return config;
            }
            return Measured.By(options);
        }
    }
}
