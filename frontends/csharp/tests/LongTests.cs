// Tests that build and measure more: with TARE_TEST_LONG=1, or by their names.

using System;
using System.Diagnostics.Tracing;
using System.IO;
using System.Linq;
using System.Threading;

namespace Tare.Tests;

public class LongTests : IDisposable
{
    private readonly Place place = new();

    public void Dispose() => place.Dispose();

    private static string Project(string properties, string items) => $"""
        <Project Sdk="Microsoft.NET.Sdk">
        <PropertyGroup>{properties}</PropertyGroup>
        <ItemGroup>{items}</ItemGroup>
        </Project>
        """;

    private static void NeedsPackages() => Assert.SkipUnless(Installed.HasPackages, "only the archive of .NET brings packages along");

    [Fact(Explicit = true)]
    public void EveryMisbehaviourIsOneFailureByName()
    {
        var done = place.Tare(["run", Place.Program("Misbehaving.cs"), .. Place.Few]).With(100);
        var fine = place.Report["cases"].AsArray().Where(one => one["outcome"]["failure"] == null).Select(one => (string)one["name"]);
        Assert.Equal(["Fine", "PrintsFrames"], fine.Order());
        Assert.Contains("killed by SIGABRT", done.Output);
        Assert.Contains("no way on", done.Output);
        Assert.Contains("exited unexpectedly with status 3", done.Output);
        Assert.Contains("threw ArgumentException: wrong at ", done.Output);
        Assert.Contains("Stack overflow", done.Output);
    }

    [Fact(Explicit = true)]
    public void AFileIsBuiltByTheSdk()
    {
        // A package, another file, a property of its own and one of the folder, no `Main`.
        NeedsPackages();
        place.Write("Directory.Build.props", Project("<DefineConstants>$(DefineConstants);OF_FOLDER</DefineConstants>", "").Replace(" Sdk=\"Microsoft.NET.Sdk\"", ""));
        place.Write("other.cs", "public static class Other { public static int F() => 42; }");
        place.Write("a.cs", """
            #!/usr/bin/env dotnet
            #:package BenchmarkDotNet@0.15.8
            #:package Newtonsoft.Json@13.0.3
            #:include other.cs
            #:property InvariantTimezone=true
            // tare-flags: -define:OF_FLAGS
            using BenchmarkDotNet.Attributes;

            public class C
            {
            #if OF_FOLDER && OF_FLAGS
                [Benchmark] public string F() => Newtonsoft.Json.JsonConvert.SerializeObject(new[] { Other.F() });
            #endif
            }
            """);
        var done = place.Tare("run", "--dry", "a.cs").With(0);
        Assert.Matches(@"^C/F +ran +\[42\]\n$", done.Output);
        Assert.DoesNotContain("no effect", done.Errors);
        Assert.Equal(["Directory.Build.props", "a.cs", "other.cs"], Directory.GetFileSystemEntries(place.Path).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact(Explicit = true)]
    public void TheFirstProjectIsForEveryTool()
    {
        // Rules of the folders above are not for the copy of the front end.
        place.Write("Directory.Build.props", "<Project><PropertyGroup><Nullable>enable</Nullable><TreatWarningsAsErrors>true</TreatWarningsAsErrors></PropertyGroup></Project>");
        place.Write(".editorconfig", "root = true\n[*.cs]\ndotnet_diagnostic.CA1859.severity = error\n");
        place.Write("shop/Shop.csproj", Project("<TargetFramework>netstandard2.0</TargetFramework><LangVersion>latest</LangVersion>", "<Compile Remove=\"benchmarks/**\" />"));
        place.Write("shop/Shop.cs", "public static class Shop { public static int Price() => 3; }");
        place.Variables["TARE"] = Place.Tool;
        foreach (var (words, folder) in new[] { ("c# --project alone", "alone"), ("c# shop", "shop/benchmarks") })
        {
            place.Tare(["init", .. words.Split(' ')]).With(0);
            Assert.DoesNotContain("warning", place.Run("dotnet", "build", "-c", "Release", "--disable-build-servers", "-nologo", folder).With(0).Output);
            foreach (var done in new[] { place.Tare("run", "--dry", folder), place.Run("dotnet", "run", "-c", "Release", "--no-build", "--project", folder, "--", "--dry") })
            {
                Assert.Matches(@"Parse/Library +ran +123456789\nParse/ByHand +ran +123456789\n", done.With(0).Output);
            }
        }
    }

    [Fact(Explicit = true)]
    public void AProjectHasTheOutputsOfAnOrdinaryBuild()
    {
        // A generator that is named by path, and a library of two frameworks that another one refers to in the older.
        NeedsPackages();
        const string Library = "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />";
        const string Standard = "<TargetFramework>netstandard2.0</TargetFramework>";
        string RefersTo(string name, string more = "") => $"<ProjectReference Include=\"../{name}/{name}.csproj\" {more}/>";
        place.Write("Gen/Gen.csproj", Project(Standard, ""));
        place.Write("Gen/g.cs", "namespace Gen { public static class G { } }");
        place.Write("Lib/Lib.csproj", Project("<TargetFrameworks>netstandard2.0;net8.0</TargetFrameworks>", ""));
        place.Write("Lib/l.cs", """
            public static class Lib
            {
            #if NETSTANDARD
                public static string Of => "standard";
            #else
                public static string Of => "net8.0";
            #endif
            }
            """);
        place.Write("Old/Old.csproj", Project(Standard, RefersTo("Lib")));
        place.Write("Old/o.cs", "public static class Old { public static string Of => Lib.Of; }");
        place.Write("Bench/Bench.csproj", Project(
            "<TargetFrameworks>net8.0;net10.0</TargetFrameworks>",
            Library + RefersTo("Lib") + RefersTo("Old") + RefersTo("Gen", "ReferenceOutputAssembly=\"false\" ")
                + "<Analyzer Include=\"../Gen/bin/$(Configuration)/netstandard2.0/Gen.dll\" />"));
        place.Write("Bench/b.cs", """
            using BenchmarkDotNet.Attributes;
            public class B { [Benchmark] public string Of() => $"{Lib.Of} {Old.Of} {System.Environment.Version.Major}"; }
            """);
        var done = place.Tare("run", "--dry", "-v", "Bench", "--runtimes", "8.0,10.0").With(0);
        Assert.Matches(@"B/Of@\.NET 10\.0 +ran +net8\.0 net8\.0 10\n", done.Output);
        Assert.Matches(@"B/Of@\.NET 8\.0 +ran +net8\.0 net8\.0 8\n", done.Output);
        Assert.DoesNotContain("warning MSB", done.Errors);
        Assert.Equal([true, true, true, false], new[] { "Gen", "Lib", "Old", "Bench" }.Select(name => Directory.Exists(Path.Combine(place.Path, name, "bin"))));
    }

    [Fact(Explicit = true)]
    public void FSharpAndVisualBasicAreMeasured()
    {
        NeedsPackages();
        const string Properties = "<OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>";
        place.Write("f/f.fsproj", Project(Properties, "<Compile Include=\"a.fs\" />"));
        place.Write("f/a.fs", """
            module Bench
            open Tare
            type C() =
                [<Benchmark>]
                member _.Fold() = List.fold (+) 0 [ 1 .. 9 ]
                [<Benchmark>]
                member _.Later() = async { return 1 }
            [<EntryPoint>]
            let main args = BenchmarkSwitcher.FromTypes([| typeof<C> |]).Run(args).ExitCode
            """);
        place.Write("v/v.vbproj", Project(Properties, "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />"));
        place.Write("v/a.vb", """
            Imports BenchmarkDotNet.Attributes
            Imports BenchmarkDotNet.Running
            Public Class Sums
                <Params(3)> Public Property N As Integer
                <Benchmark> Public Function Twice() As Integer
                    Return 2 * N
                End Function
            End Class
            Module Program
                Sub Main(args As String())
                    BenchmarkSwitcher.FromAssembly(GetType(Sums).Assembly).Run(args)
                End Sub
            End Module
            """);
        var done = place.Tare("run", "--dry", "f", "v").With(100);
        Assert.Matches(@"C/Fold +ran +45", done.Output);
        Assert.Matches(@"Sums/Twice\[N=3\] +ran +6", done.Output);
        Assert.Contains("it returns `Async`, which computes nothing until it is started", done.Output + done.Errors);
    }

    [Fact(Explicit = true)]
    public void TheLibraryPrintsAndExportsWhatTareMeasures()
    {
        NeedsPackages();
        place.Variables["COLUMNS"] = "200";
        var project = Place.Program("InFront");
        var listed = place.Tare("list", project).With(0);
        Assert.Equal("Make/Bytes[N=64]\nMake/Throws[N=64]\n", listed.Output);
        Assert.Contains("note: `Main` threw InvalidOperationException: Sequence contains no elements", listed.Errors);
        var done = place.Tare("run", project, "--as-benchmarkdotnet", "--quick", "--launches", "2", "--rounds", "2", "--no-save").With(100);
        Shows(done);
    }

    [Fact(Explicit = true)]
    public void AFileWithoutAMainIsMeasuredOnceAndHasTheLibrarysTable()
    {
        NeedsPackages();
        place.Write("k.cs", """
            using BenchmarkDotNet.Attributes;
            [SimpleJob(launchCount: 1)]
            public class A
            {
                [Params("x\ny", "x y", "a\tb", "\u001b[31m")] public string S = "";
                [Benchmark] public string Pad() => S.PadRight(50);
            }
            """);
        var done = place.Tare("run", "k.cs", "--as-benchmarkdotnet", "--quick", "--launches", "2", "--rounds", "2", "--no-save").With(0);
        Assert.Equal(1, done.Output.Split('\n').Count(line => line.StartsWith("tare ")));
        var rows = done.Output.Split('\n').Where(line => line.StartsWith("| Pad ")).ToList();
        Assert.Equal(4, rows.Count);
        Assert.DoesNotContain(" NA ", string.Concat(rows));
        Assert.Contains("OutlierMode=DontRemove", done.Output);
        Assert.Matches("Runtime = .NET .*; GC = Concurrent Workstation", done.Output);
        foreach (var shown in new[] { "x\\ny", "x y", "a\\tb", "\\u001b[31m" })
        {
            Assert.Contains(" " + shown, done.Output);
        }
    }

    [Fact(Explicit = true)]
    public void MainGetsItsArguments()
    {
        NeedsPackages();
        place.Write("m/m.csproj", Project("<OutputType>Exe</OutputType><TargetFrameworks>net10.0;net8.0</TargetFrameworks>", "<PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" />"));
        place.Write("m/Program.cs", """
            using System.Collections.Generic;
            using BenchmarkDotNet.Attributes;
            using BenchmarkDotNet.Jobs;
            using BenchmarkDotNet.Running;
            if (args[0] == "--wrong") throw new System.InvalidOperationException("no input");
            if (args[0] == "--tables") BenchmarkRunner.Run<Tables>(); else BenchmarkRunner.Run<Plain>();
            return 3;
            public class Plain
            {
                public IEnumerable<int> None() => [];
                [Benchmark] public int One() => 1;
                [Benchmark, ArgumentsSource(nameof(None))] public int Left(int n) => n;
            }
            [SimpleJob(RuntimeMoniker.Net10_0), SimpleJob(RuntimeMoniker.Net80)]
            public class Tables { [Benchmark] public string Two() => 22.ToString(); }
            """);
        var plain = place.Tare("list", "m").With(0);
        Assert.Equal("Plain/One\n", plain.Output);
        Assert.Contains("`Plain.Left` is left out: `None` has no values", plain.Errors);
        Assert.Equal("Tables/Two\n", place.Tare("list", "m", "--", "--tables").With(0).Output);
        // All are read from the assembly, so nothing is missing.
        var wrong = place.Tare("list", "m", "--", "--wrong").With(0);
        Assert.Equal("Plain/One\nTables/Two\nPlain/Left\n", wrong.Output);
        Assert.DoesNotContain("missing", wrong.Errors);
        // One table has both runtimes, and what `Main` returns is not lost.
        var tables = place.Tare("run", "m", "--as-benchmarkdotnet", "--quick", "--launches", "1", "--rounds", "2", "--no-save", "--", "--tables").With(100);
        Assert.Equal(2, tables.Output.Split('\n').Count(line => line.StartsWith("| Two ")));
    }

    [Fact(Explicit = true)]
    public void ThePackagesAreBuiltAndUsed()
    {
        NeedsPackages();
        place.Variables["TARE_PACKAGES"] = Path.Combine(place.Path, "packages");
        place.Run(Path.Combine(Place.Root, "packaging", "build"), "nuget").With(0);
        place.Variables["NUGET_PACKAGES"] = Path.Combine(place.Path, "cache");
        place.Variables["TARE"] = Place.Tool;
        var bin = Path.Combine(place.Path, "bin");
        var words = new[] { Place.Program("InFront"), "-c", "Release", "--artifacts-path", bin, "-p:TarePackages=" + Path.Combine(place.Path, "packages", "nuget"), "--disable-build-servers" };
        place.Run("dotnet", ["build", .. words]).With(0);
        Shows(place.Run("dotnet", Path.Combine(bin, "bin", "InFront", "release", "InFront.dll"), "--filter", "*Make*"));
    }

    /// <summary>The table of the library has what Tare measures; a failure is one, and does not cost the other benchmark.</summary>
    private void Shows(Done done)
    {
        var header = done.Output.Split('\n').FirstOrDefault(line => line.StartsWith("| Method"));
        foreach (var column in new[] { "P95", "95 %", "Verdict", "Ratio", "Allocated", "Exceptions" })
        {
            Assert.Contains($" {column} ", header);
        }
        Assert.Contains("Throws failed", done.Output);
        Assert.Contains("in the body: threw InvalidOperationException: on purpose", done.Output);
        Assert.True(File.Exists(Path.Combine(place.Path, "BenchmarkDotNet.Artifacts", "results", "Make-report-full.json")));
    }

    [Fact(Explicit = true)]
    public void CodeInliningAndAllocationsAreRead()
    {
        Assert.SkipUnless(System.Runtime.InteropServices.RuntimeInformation.ProcessArchitecture == System.Runtime.InteropServices.Architecture.X64, "machine code is only read on x86-64");
        var words = new[] { "--quick", "--launches", "1", "--rounds", "2", "--diagnose", "code,inlining,allocations", "--diagnose-for", "3s", "-o", "r.folded" };
        place.Tare(["run", Place.Program("Told.cs"), "--filter", "Told/Makes", .. words]).With(0);
        var code = place.Tare("show", "--code").Output;
        Assert.Matches(@"^Told/Makes\n\nbody \((Tier1|Tier0|Instrumented Tier0)[^)]*\): \d+ instructions?, ", code);
        Assert.Contains("  ret\n", code);
        var inlining = place.Tare("show", "--inlining").Output;
        Assert.Matches(@"\n  inlined   Told\.Twice\n", inlining);
        Assert.Matches(@"\n  called    Told\.Made  \(.*noinline", inlining);
        // Each sample has the whole stack from the body on, with the type behind it.
        Assert.Contains("Told.Makes;Told.Made;new System.Byte[]", File.ReadAllText(Path.Combine(place.Path, "r.folded")));
    }

    [Fact(Explicit = true)]
    public void InstructionsAreFollowedOneByOne()
    {
        var done = place.Tare(["run", Place.Program("Told.cs"), "--filter", "Stepped/*", .. Place.Few, "--diagnose", "instructions", "-v"]).With(0);
        Assert.SkipUnless(!done.Output.Contains("cannot be followed"), "this machine does not let a process trace its own");
        double? Of(string name) => (double?)place.Report["cases"].AsArray().First(one => (string)one["name"] == name)["outcome"]["metrics"]?.AsArray()
            .FirstOrDefault(metric => (string)metric["name"] == "instructions/executed")?["value"];
        // A thousand turns more; a few instructions each, whatever the runtime compiled them to.
        Assert.InRange((Of("Twice") - Of("Once")) / 1000 ?? 0, 3, 40);
        // One invocation of it would take a minute to follow.
        Assert.Null(Of("Endless"));
        Assert.Matches(@"Stepped/Endless[\s\S]*too\s+many\s+to\s+follow", done.Output);
    }

    public class Tiers
    {
        private static volatile int last;
        private Listener listener;

        [GlobalSetup] public void Listen() => listener = new Listener();

        /// <summary>The tier of its own code, as the runtime has said last.</summary>
        [Benchmark] public int OfBody() => last;

        private sealed class Listener : EventListener
        {
            private const EventKeywords Compiler = (EventKeywords)0x10;

            protected override void OnEventSourceCreated(EventSource source)
            {
                if (source.Name == "Microsoft-Windows-DotNETRuntime")
                {
                    EnableEvents(source, EventLevel.Verbose, Compiler);
                }
            }

            protected override void OnEventWritten(EventWrittenEventArgs said)
            {
                // The flags and the name of a method that was compiled.
                if (said.EventName.StartsWith("MethodLoadVerbose") && (string)said.Payload[7] == nameof(OfBody))
                {
                    last = (int)((uint)said.Payload[5] >> 7) & 7;
                }
            }
        }
    }

    [Fact(Explicit = true)]
    public void WhenNothingIsLeftToCompileTheBodyIsInItsLastTier()
    {
        const string LastTier = "4";
        var program = new Program(typeof(Tiers));
        Assert.SkipUnless((bool)program.Hello["compiles_by_count"], "the runtime does not count what it compiles");
        program.Open("OfBody");
        for (var quiet = 0.0; quiet < 0.04;)
        {
            var reply = program.Ask("measure workload 4 100000 0 1");
            var isBusy = reply["events"]?.AsArray().Any(one => (string)one["kind"] == "compiling") == true || reply["compilations"].Numbers().Any(count => count > 0);
            // A process that is stopped for a while is not quiet meanwhile.
            quiet = isBusy ? 0 : quiet + Math.Min(1e-9 * reply["elapsed_ns"].Numbers().Sum(), 0.002);
        }
        // What the runtime says comes later. Few calls are made meanwhile: no other tier follows from them.
        for (var tries = 0; tries < 100 && program.Check() != LastTier; tries++)
        {
            Thread.Sleep(500);
        }
        Assert.Equal(LastTier, program.Check());
    }
}
