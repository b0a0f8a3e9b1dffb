// A folder in which the built `tare` runs.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json.Nodes;

namespace Tare.Tests;

internal sealed record Done(int Code, string Output, string Errors)
{
    /// <summary>Fails with all that was said.</summary>
    internal Done With(int code)
    {
        Assert.True(Code == code, $"exit code {Code}, not {code}\n{Output}{Errors}");
        return this;
    }
}

internal sealed class Place : IDisposable
{
    /// <summary>A process that measures for a moment, with its report in `r.json`.</summary>
    internal static readonly string[] Few = ["--quick", "--launches", "1", "--rounds", "2", "--no-save", "-o", "r.json"];

    internal static readonly string Tests = ThisFolder();
    internal static readonly string Root = System.IO.Path.GetFullPath(System.IO.Path.Combine(Tests, "..", "..", ".."));
    internal static readonly string Tool = System.IO.Path.GetFullPath(Environment.GetEnvironmentVariable("TARE_PROGRAM") ?? "none");

    internal Place()
    {
        Path = Directory.CreateTempSubdirectory("tare-csharp-").FullName;
    }

    internal string Path { get; }

    /// <summary>Those that its processes get in addition.</summary>
    internal Dictionary<string, string> Variables { get; } = [];

    internal JsonNode Report => JsonNode.Parse(File.ReadAllText(System.IO.Path.Combine(Path, "r.json")))["report"];

    public void Dispose() => Directory.Delete(Path, true);

    internal string Write(string name, string text)
    {
        var path = System.IO.Path.Combine(Path, name);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path));
        File.WriteAllText(path, text);
        return path;
    }

    internal Done Tare(params string[] words)
    {
        Assert.SkipUnless(File.Exists(Tool), "there is no built `tare`: cargo build, or TARE_PROGRAM");
        return Run(Tool, words);
    }

    internal Done Run(string program, params string[] words)
    {
        var start = new ProcessStartInfo(program, words) { WorkingDirectory = Path, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (name, value) in Variables)
        {
            start.Environment[name] = value;
        }
        using var process = Process.Start(start);
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new Done(process.ExitCode, output, errors.Result);
    }

    /// <summary>Starts a program with benchmarks as the host does, and gives its reply to each request.</summary>
    internal string[] Ask(Dictionary<string, string> variables, string[] command, params string[] requests)
    {
        using var toChild = new AnonymousPipeServerStream(PipeDirection.Out, HandleInheritability.Inheritable);
        using var fromChild = new AnonymousPipeServerStream(PipeDirection.In, HandleInheritability.Inheritable);
        var start = new ProcessStartInfo(command[0], command[1..]) { WorkingDirectory = Path };
        foreach (var (name, value) in variables)
        {
            start.Environment[name] = value;
        }
        start.Environment["TARE_LINK"] = $"fd:{toChild.GetClientHandleAsString()},{fromChild.GetClientHandleAsString()}";
        using var process = Process.Start(start);
        toChild.DisposeLocalCopyOfClientHandle();
        fromChild.DisposeLocalCopyOfClientHandle();
        toChild.Write(Encoding.ASCII.GetBytes(string.Join("\n", requests) + "\n"));
        using var replies = new StreamReader(fromChild);
        var lines = requests.Select(_ => replies.ReadLine()).ToArray();
        process.WaitForExit();
        return lines;
    }

    /// <summary>The newest program of this name that `tare` has built.</summary>
    internal static string Built(string name, string suffix = ".dll")
    {
        var programs = System.IO.Path.Combine(Environment.GetEnvironmentVariable("XDG_CACHE_HOME"), "tare", "programs");
        return Directory.GetFiles(programs, name + suffix, SearchOption.AllDirectories).MaxBy(File.GetLastWriteTime);
    }

    /// <summary>A program beside the tests.</summary>
    internal static string Program(string name) => System.IO.Path.Combine(Tests, "programs", name);

    private static string ThisFolder([CallerFilePath] string file = null) => System.IO.Path.GetDirectoryName(file);
}

/// <summary>The installed .NET.</summary>
internal static class Installed
{
    private static readonly string Folder = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location), "..", "..", ".."));

    /// <summary>The archive brings BenchmarkDotNet along: nothing is downloaded.</summary>
    internal static bool HasPackages => Directory.Exists(Path.Combine(Folder, "..", "feed"));

    /// <summary>Programs can be compiled ahead of time: with packages of the archive, and a linker.</summary>
    internal static bool HasAhead => HasPackages && Directory.GetFiles(Path.Combine(Folder, "..", "feed"), "microsoft.dotnet.ilcompiler.*").Length > 0
        && Environment.GetEnvironmentVariable("PATH").Split(':').Any(folder => File.Exists(Path.Combine(folder, "gcc")) || File.Exists(Path.Combine(folder, "clang")));

    internal static bool HasRuntime(string series) =>
        Directory.EnumerateDirectories(Path.Combine(Folder, "shared", "Microsoft.NETCore.App"), series + ".*").Any();
}
