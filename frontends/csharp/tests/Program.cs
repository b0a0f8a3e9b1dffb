// A program with benchmarks, in this process: what it answers to the requests of the host.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json.Nodes;

namespace Tare.Tests;

/// <summary>Speaks the protocol (spec/protocol.md) with the benchmarks of some classes.</summary>
internal sealed class Program
{
    private readonly Child child;
    private readonly Queue<JsonNode> replies = new Queue<JsonNode>();

    internal Program(params Type[] types)
    {
        child = new Child(new DeclaredCatalog(types, null), reply => reply.Send((bytes, length) => replies.Enqueue(JsonNode.Parse(Encoding.UTF8.GetString(bytes, 0, length)))));
        Hello = Ask("hello 1");
    }

    internal JsonNode Hello { get; }

    internal JsonNode Ask(string request)
    {
        child.Answer(request);
        return replies.Dequeue();
    }

    /// <summary>The lines of the list, without its end.</summary>
    internal List<JsonNode> List()
    {
        child.Answer("list");
        var all = replies.ToList();
        replies.Clear();
        return all.SkipLast(1).ToList();
    }

    internal JsonNode Of(string name) => List().First(line => (string)line["name"] == name);

    /// <summary>Opens a benchmark, with the seed of a first launch.</summary>
    internal JsonNode Open(string name, int seed = 7) => Ask($"open {Of(name)["index"]} {seed}");

    /// <summary>What the open body returns.</summary>
    internal string Check() => (string)Ask("check")["text"];

    /// <summary>What a body returns. It is measured too.</summary>
    internal string Text(string name)
    {
        Assert.Equal("opened", (string)Open(name)["reply"]);
        var text = Check();
        Assert.Equal("measured", (string)Ask("measure workload 2 17 1")["reply"]);
        Ask("close");
        return text;
    }

    internal string Invalid(string name) => (string)Of(name)["invalid"];
}

internal static class Nodes
{
    internal static double[] Numbers(this JsonNode list) => list.AsArray().Select(number => (double)number).ToArray();

    internal static string[] Texts(this JsonNode list) => list?.AsArray().Select(text => (string)text).ToArray();
}
