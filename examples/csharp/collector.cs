// The same work under several modes of the garbage collector: a job is a variable of the environment, and all of them are measured in turn.

using System.Linq;
using Tare;

[Job("workstation", "DOTNET_gcServer", "0", "COMPlus_gcServer", "0")]
[Job("non-concurrent", "DOTNET_gcConcurrent", "0", "COMPlus_gcConcurrent", "0")]
[Job("server", "DOTNET_gcServer", "1", "COMPlus_gcServer", "1")]
public class Collector
{
    [Benchmark]
    public byte[][] ManyBlocks() => Enumerable.Range(0, 100).Select(_ => new byte[1000]).ToArray();
}
