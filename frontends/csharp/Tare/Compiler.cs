// What the runtime's compiler still has to do. It compiles what was called often once more, on a thread of its own.

using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;

namespace Tare;

internal static class Compiler
{
    /// <summary>The thread, by the 15 bytes of its name that Linux keeps: it sleeps when there is nothing to compile.</summary>
    private const string Worker = "(.NET Tiered Com)";

    /// <summary>The runtime counts calls when nothing new was called for so long, ms; the variable is hexadecimal. The host sets 8.</summary>
    internal const string Delay = "TC_CallCountingDelayMs";

    /// <summary>Up to such a delay a method that is called often waits for its compiler and not for the clock, ms.</summary>
    private const int SoonMs = 16;

    private const string Tasks = "/proc/self/task";
    private static readonly byte[] Line = new byte[128];
    private static byte[]? path;
    private static bool isWatched;

    /// <summary>
    /// Calls alone decide when something is compiled, and whether something is left is known: the compilations are counted (.NET 6 and
    /// later), and the thread is found. Else the host goes by the clock.
    /// </summary>
    internal static bool Watch()
    {
        if (!Memory.HasCompilations || !Native.HasFiles || !IsSoon)
        {
            return false;
        }
        // The thread was started with the first methods, and names itself.
        for (var tries = 0; tries < 20 && path == null; tries++)
        {
            Find();
            if (path == null)
            {
                Thread.Sleep(2);
            }
        }
        return isWatched = path != null;
    }

    private static bool IsSoon
    {
        get
        {
            var text = Runtime.Variable(Delay);
            return text != null && int.TryParse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var ms) && ms <= SoonMs;
        }
    }

    /// <summary>The thread works, or would if it had a processor.</summary>
    [MethodImpl(Clock.Optimised | MethodImplOptions.NoInlining)]
    internal static bool IsBusy()
    {
        if (!isWatched)
        {
            return false;
        }
        var state = path == null ? (byte)0 : StateOf(path);
        if (state == 0)
        {
            // It ends when it had nothing to do for seconds, and another one begins later.
            Find();
            state = path == null ? (byte)'S' : StateOf(path);
        }
        return state == 'R' || state == 'D';
    }

    private static void Find()
    {
        path = null;
        try
        {
            var paths = Directory.GetDirectories(Tasks).Select(task => Encoding.ASCII.GetBytes($"{task}/stat\0"));
            path = paths.FirstOrDefault(each => StateOf(each) != 0);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A system without these files.
        }
    }

    /// <summary>The letter behind the name; 0: there is no such thread, or it is another one.</summary>
    [MethodImpl(Clock.Optimised)]
    private static byte StateOf(byte[] file)
    {
        var count = Native.ReadFile(file, Line);
        for (var from = 0; from + Worker.Length + 1 < count; from++)
        {
            var same = 0;
            while (same < Worker.Length && Line[from + same] == Worker[same])
            {
                same++;
            }
            if (same == Worker.Length)
            {
                return Line[from + Worker.Length + 1];
            }
        }
        return 0;
    }
}
