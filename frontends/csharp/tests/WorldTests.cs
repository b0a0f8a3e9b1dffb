// Programs that the built `tare` compiles and measures.

using System.IO;
using System.Linq;
using System.Text.RegularExpressions;

namespace Tare.Tests;

public class WorldTests
{
    [Fact]
    public void TheProtocolIsKept()
    {
        using var place = new Place();
        place.Tare("run", "--dry", Place.Program("Conformance.cs"), "--filter", "*count*").With(0);
        var program = Place.Built("Conformance");
        var done = place.Tare("conformance", "--quick", "--", "dotnet", program).With(0);
        Assert.Contains(" 0 failed, 0 undecided, 0 advice, 4 not applicable", done.Output);
    }

    [Fact]
    public void AFileIsMeasured()
    {
        using var place = new Place();
        place.Write("parse.cs", """
            public class Parse
            {
                public string Text = "123";
                public object Kept;

                [Tare.Benchmark, Tare.GcServer(true)] public int Number() => int.Parse(Text);
                [Tare.Benchmark] public List<int> Allocates() => new List<int> { 1 };
                [Tare.Benchmark] public int Throws() => throw new InvalidOperationException("on purpose");
            }
            """);
        place.Variables["TMPDIR"] = place.Path;
        var done = place.Tare(["run", "parse.cs", .. Place.Few]).With(100);
        Assert.Matches(@"Parse/Throws[\s\S]*threw InvalidOperationException: on purpose", done.Output);
        Assert.Matches(@"parse\.cs:8", done.Output);
        var outcomes = place.Report["cases"].AsArray().ToDictionary(one => (string)one["name"], one => (string)one["outcome"]["outcome"]);
        // On a busy machine both visits may have been interrupted.
        Assert.Matches("^(not-)?measured$", outcomes["Number"]);
        Assert.Matches("^(not-)?measured$", outcomes["Allocates"]);
        Assert.Equal("failed", outcomes["Throws"]);
        // What starts a process in another way is shown.
        Assert.Contains("settings  DOTNET_gcServer=1\n", place.Tare(["run", "parse.cs", "--filter", "*Number", "-v", .. Place.Few]).Output);
        // Ports for debuggers, which stay behind where a process is ended at once.
        Assert.Empty(Directory.GetFiles(place.Path, "*-diagnostic-*"));
    }

    [Fact]
    public void ASourceIsMeasuredOnSeveralRuntimes()
    {
        Assert.SkipUnless(Installed.HasRuntime("8.0") && Installed.HasRuntime("10.0"), "the runtimes 8.0 and 10.0 are not both installed");
        using var place = new Place();
        place.Write("both.cs", """
            using Tare;

            public class Both
            {
            #if NET10_0_OR_GREATER
                [Benchmark] public int New() => 10;
            #elif NET8_0
                [Benchmark] public int Old() => 8;
            #endif
                [Benchmark] public int Version() => System.Environment.Version.Major;
            }
            """);
        var done = place.Tare("run", "both.cs", "--dry", "--runtimes", "8.0,10.0").With(0);
        var ran = Regex.Matches(done.Output, @"Both/(\w+)@\.NET (\S+) +ran +(\d+)").Select(line => $"{line.Groups[1]} on {line.Groups[2]}: {line.Groups[3]}");
        Assert.Equal(["New on 10.0: 10", "Old on 8.0: 8", "Version on 10.0: 10", "Version on 8.0: 8"], ran.Order());
    }
}
