// How a program starts: it says what it runs on, runs each body once, or hands itself to `tare`.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Tare.Tests;

public class StartTests : IDisposable
{
    private readonly Dictionary<string, string> variables = [];
    private readonly (TextWriter, TextWriter) streams = (Console.Out, Console.Error);
    private readonly StringWriter output = new(), errors = new();

    [MemoryDiagnoser, ThreadingDiagnoser]
    public class Memory
    {
        [Benchmark] public byte[] Eight() => new byte[8];
        [Benchmark] public int Throws() => throw new InvalidOperationException("on purpose");
    }

    public void Dispose()
    {
        Console.SetOut(streams.Item1);
        Console.SetError(streams.Item2);
        foreach (var (name, value) in variables)
        {
            Environment.SetEnvironmentVariable(name, value);
        }
        Environment.ExitCode = 0;
    }

    private void Set(string name, string value)
    {
        variables.TryAdd(name, Environment.GetEnvironmentVariable(name));
        Environment.SetEnvironmentVariable(name, value);
    }

    private int Run(params string[] arguments)
    {
        Console.SetOut(output);
        Console.SetError(errors);
        return BenchmarkSwitcher.FromTypes([typeof(Memory)]).Run(arguments).ExitCode;
    }

    [Fact]
    public void WithoutTareEachBodyRunsOnce()
    {
        Set("TARE", null);
        Set("PATH", string.Empty);
        Assert.Equal(0, Run("--filter", "*Memory.Ei*"));
        Assert.Equal("Memory.Eight  ran\n", output.ToString());
        Assert.Contains("hint: `tare` on the PATH measures them", errors.ToString());
    }

    [Fact]
    public void WhatABodyThrowsIsSaid()
    {
        Set("TARE", null);
        Set("PATH", string.Empty);
        Assert.Equal(1, Run("--filter", "*Throws"));
        Assert.Contains("Throws  failed: body threw InvalidOperationException: on purpose", output.ToString());
    }

    [Fact]
    public void AProgramHandsItselfToTare()
    {
        var words = Path.GetTempFileName();
        var tare = Path.GetTempFileName();
        File.WriteAllText(tare, $"#!/bin/sh\necho \"$BENCHMARK_RUN_CALL: $*\" >'{words}'\nexit 10\n");
        File.SetUnixFileMode(tare, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        Set("TARE", tare);
        Assert.Equal(10, Run("--quick"));
        Assert.Equal(10, Environment.ExitCode);
        Assert.Matches(@"^\d+: run --quick -- \S+/dotnet \S+/Tests\.dll", File.ReadAllText(words));
        File.Delete(tare);
        File.Delete(words);
    }

    [Fact]
    public void TheCommandOfAProgramIsThatWhichStartsItAgain()
    {
        Assert.Equal(["/usr/bin/dotnet", "/p/Bench.dll", "--quick"], Start.OwnCommand(["/p/Bench.dll", "--quick"], "/usr/bin/dotnet"));
        // The host that `dotnet build` makes: `My.Bench` starts `My.Bench.dll`.
        Assert.Equal(["/p/My.Bench", "--quick"], Start.OwnCommand(["/p/My.Bench.dll", "--quick"], "/p/My.Bench"));
    }

    [Fact]
    public void SettingsOfTheRuntimeAreNamed()
    {
        const string Property = "System.Runtime.TieredPGO";
        var before = AppContext.GetData(Property);
        AppContext.SetData(Property, "false");
        Set("DOTNET_gcServer", "0");
        Set("DOTNET_NOLOGO", "1");
        Set("DOTNET_EnableDiagnostics", "0");
        
        var hello = new Program(typeof(Memory)).Hello;
        AppContext.SetData(Property, before);
        var flags = (string)hello["flags"];
        Assert.Contains("TieredPGO=false", flags);
        Assert.Contains("DOTNET_TC_CallCountingDelayMs=8", flags);
        Assert.Contains("DOTNET_gcServer=0", flags);
        // What changes no code and no collection.
        Assert.DoesNotContain("NOLOGO", flags);
        Assert.DoesNotContain("Diagnostics", flags);
    }

    [Fact]
    public void TheRuntimeAndTheLanguageAreNamed()
    {
        var hello = new Program(typeof(Memory)).Hello;
        Assert.Equal(".NET " + Environment.Version, (string)hello["runtime"]);
        Assert.Equal("c#", (string)hello["language"]);
        Assert.True((bool)hello["optimised"]);
        Assert.Equal(["memory", "threading", "exceptions"], hello["diagnosers"].AsArray().Select(one => (string)one["name"]));
    }
}
