// A program that BenchmarkDotNet runs, with Tare under every job.

using System;
using System.Linq;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;

#if USE_TARE
[assembly: Tare.BenchmarkDotNet.UseTare("--quick --launches 2 --rounds 2 --no-save")]
#endif

[MemoryDiagnoser, ExceptionDiagnoser]
public class Make
{
    [Params(64)] public int N { get; set; }

    [Benchmark(Baseline = true)] public byte[] Bytes() => new byte[N];

    [Benchmark] public int Throws() => throw new InvalidOperationException("on purpose");
}

public static class Program
{
    public static void Main(string[] args)
    {
        var config = DefaultConfig.Instance.AddColumn(StatisticColumn.P95).AddExporter(JsonExporter.Full).AddJob(Job.Default.WithLaunchCount(2));
        var summary = BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args, config).Single();
        foreach (var report in summary.Reports)
        {
            Console.WriteLine(report.BenchmarkCase.Descriptor.WorkloadMethod.Name + (report.Success ? " succeeded" : " failed"));
        }
    }
}
