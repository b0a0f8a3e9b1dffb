// The same work under four modes of the garbage collector. Each job is a set of environment variables. All jobs are measured in turn,
// and compared with the one that has `Baseline`.

using Tare;

[Job("background workstation", "DOTNET_gcServer", "0", Baseline = true)]
[Job("workstation", "DOTNET_gcServer", "0", "DOTNET_gcConcurrent", "0")]
[Job("background server", "DOTNET_gcServer", "1")]
[Job("server", "DOTNET_gcServer", "1", "DOTNET_gcConcurrent", "0")]
public class Collector
{
    [Benchmark(Description = "new byte[10_000]")]
    public byte[] Block() => new byte[10_000];
}
