// The two pipes to the host.

using System;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Tare;

/// <summary>
/// The C library is called as it is: the streams of the runtime are a hundred methods that it would compile again, beside the first bodies.
/// </summary>
internal static class Link
{
    private const string Variable = "TARE_LINK";
    private static readonly Action<byte[], int> Writes = Write;
    private static int requests = -1, replies;

    /// <summary>The host has started this process, or its build has.</summary>
    internal static bool IsThere => requests >= 0 || Ahead.IsWanted || Environment.GetEnvironmentVariable(Variable) != null;

    /// <summary>Answers requests until the host has had enough; never returns.</summary>
    internal static void Serve(ICatalog catalog)
    {
        if (Ahead.IsWanted)
        {
            Ahead.Write(catalog);
        }
        Take();
        // What the user's code throws is nothing of the link's: it is answered, or ends the process by its own name.
        Answer(new Child(catalog, Send));
        Native.Exit(0);
    }

    /// <summary>Opens the pipes, so that programs which this one starts do not have them.</summary>
    internal static void Take()
    {
        if (requests >= 0 || Ahead.IsWanted)
        {
            return;
        }
        var link = Environment.GetEnvironmentVariable(Variable) ?? "";
        Environment.SetEnvironmentVariable(Variable, null);
        var ends = link.StartsWith("fd:", StringComparison.Ordinal) ? link.Substring(3).Split(',') : [];
        if (ends.Length != 2 || !int.TryParse(ends[0], out requests) || !int.TryParse(ends[1], out replies) || !Native.CloseOnExec(requests) || !Native.CloseOnExec(replies))
        {
            Console.Error.WriteLine($"error: TARE_LINK={link} has an unknown form, or is not open");
            Native.Exit(2);
        }
    }

    /// <summary>What the user's code wrote to a writer of its own. Without a writer there is no text, and making one takes longer than the rest of the end.</summary>
    private static void Flush()
    {
        var writer = typeof(Console).GetField("s_out", BindingFlags.NonPublic | BindingFlags.Static);
        if (writer == null || writer.GetValue(null) != null)
        {
            Console.Out.Flush();
        }
    }

    private static void Answer(Child child)
    {
        var buffer = new byte[4096];
        var line = new char[256];
        int length = 0, count;
        while ((count = Read(buffer)) > 0)
        {
            for (var i = 0; i < count && !child.IsOver; i++)
            {
                if (buffer[i] != '\n')
                {
                    line[length++] = (char)buffer[i];
                    continue;
                }
                child.Answer(new string(line, 0, length));
                length = 0;
            }
            if (child.IsOver)
            {
                Flush();
                return;
            }
        }
    }

    /// <summary>What is there; 0 at its end.</summary>
    [MethodImpl(Clock.Optimised)]
    private static int Read(byte[] buffer) => Native.Read(requests, buffer) is >= 0 and var count ? count : throw new IOException("not open for reading");

    [MethodImpl(Clock.Optimised)]
    private static void Send(Json reply) => reply.Send(Writes);

    [MethodImpl(Clock.Optimised)]
    private static void Write(byte[] bytes, int count)
    {
        if (!Native.Write(replies, bytes, count))
        {
            // The host has gone.
            Native.Exit(0);
        }
    }
}
