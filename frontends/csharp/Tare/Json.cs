// One line of JSON.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Tare;

/// <summary>
/// An object under construction; members with the value null are left out unless they are said to be null. Its numbers are written by code
/// of its own, into memory that the replies share: what answers a request neither leaves garbage beside the body nor is compiled beside it.
/// </summary>
internal sealed class Json
{
    /// <summary>The JSON word.</summary>
    internal static readonly object Null = new object();

    private const int LongestNumber = 20;
    private static readonly byte[] Digits = new byte[LongestNumber];
    private static byte[]? spare = new byte[1 << 14];

    private byte[] bytes;
    private int length;

    /// <summary>A reply, which is sent before the next is begun.</summary>
    [MethodImpl(Clock.Optimised)]
    internal Json(string reply)
    {
        bytes = spare ?? new byte[1 << 14];
        spare = null;
        Put('{');
        Name("reply");
        Word(reply);
    }

    /// <summary>A part of another one.</summary>
    internal Json()
    {
        bytes = new byte[64];
        Put('{');
    }

    /// <summary>An object that was written before, as `ToString` gives it.</summary>
    internal static Json Of(string text)
    {
        var whole = new Json { bytes = Encoding.UTF8.GetBytes(text) };
        whole.length = whole.bytes.Length - 1;
        return whole;
    }

    internal Json Add(string name, object? value)
    {
        if (value != null)
        {
            Name(name);
            Write(value);
        }
        return this;
    }

    [MethodImpl(Clock.Optimised)]
    internal Json Add(string name, double[] values)
    {
        Name(name);
        Put('[');
        for (var i = 0; i < values.Length; i++)
        {
            if (i > 0)
            {
                Put(',');
            }
            Number(values[i]);
        }
        Put(']');
        return this;
    }

    [MethodImpl(Clock.Optimised)]
    internal Json Add(string name, long[] values)
    {
        Name(name);
        Put('[');
        for (var i = 0; i < values.Length; i++)
        {
            if (i > 0)
            {
                Put(',');
            }
            Number(values[i]);
        }
        Put(']');
        return this;
    }

    /// <summary>The list of events: one.</summary>
    [MethodImpl(Clock.Optimised)]
    internal Json AddEvent(string kind, int iteration)
    {
        Name("events");
        Put('[');
        Put('{');
        Name("iteration");
        Number(iteration);
        Name("kind");
        Word(kind);
        Put('}');
        Put(']');
        return this;
    }

    /// <summary>Begins a member that is an object itself; what follows is in it, until its end.</summary>
    [MethodImpl(Clock.Optimised)]
    internal Json Begin(string name)
    {
        Name(name);
        Put('{');
        return this;
    }

    [MethodImpl(Clock.Optimised)]
    internal Json End()
    {
        Put('}');
        return this;
    }

    /// <summary>Gives the whole line to `write`, and its memory to the next reply.</summary>
    [MethodImpl(Clock.Optimised)]
    internal void Send(Action<byte[], int> write)
    {
        Put('}');
        Put('\n');
        write(bytes, length);
        spare = bytes;
    }

    public override string ToString() => $"{Encoding.UTF8.GetString(bytes, 0, length)}}}";

    /// <summary>As `JSON.stringify` quotes it.</summary>
    internal static string Quoted(string value)
    {
        var quoted = new StringBuilder("\"");
        foreach (var c in value)
        {
            var at = "\"\\\b\t\n\f\r".IndexOf(c);
            if (at >= 0)
            {
                quoted.Append('\\').Append("\"\\btnfr"[at]);
            }
            else if (c < ' ')
            {
                quoted.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                quoted.Append(c);
            }
        }
        return quoted.Append('"').ToString();
    }

    private void Write(object value)
    {
        switch (value)
        {
            case string s:
                Put(Quoted(Texts.Whole(s)));
                break;
            case bool b:
                Put(b ? "true" : "false");
                break;
            case double d:
                Number(d);
                break;
            case IEnumerable<string> strings:
                List(strings, s => Put(Quoted(Texts.Whole(s))));
                break;
            case IEnumerable<Json> objects:
                List(objects, o => Put(o.ToString()));
                break;
            default:
                Put(value == Null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture)!);
                break;
        }
    }

    private void List<T>(IEnumerable<T> values, Action<T> write)
    {
        Put('[');
        var first = true;
        foreach (var value in values)
        {
            if (!first)
            {
                Put(',');
            }
            first = false;
            write(value);
        }
        Put(']');
    }

    [MethodImpl(Clock.Optimised)]
    private void Name(string name)
    {
        if (bytes[length - 1] != '{')
        {
            Put(',');
        }
        Word(name);
        Put(':');
    }

    /// <summary>A text that needs no escapes.</summary>
    [MethodImpl(Clock.Optimised)]
    private void Word(string text)
    {
        Put('"');
        var isAscii = true;
        for (var i = 0; i < text.Length; i++)
        {
            isAscii &= text[i] < 128;
        }
        for (var i = 0; i < text.Length && isAscii; i++)
        {
            Put(text[i]);
        }
        if (!isAscii)
        {
            Put(text);
        }
        Put('"');
    }

    private void Put(string text)
    {
        var more = Encoding.UTF8.GetBytes(text);
        Room(more.Length);
        Buffer.BlockCopy(more, 0, bytes, length, more.Length);
        length += more.Length;
    }

    [MethodImpl(Clock.Optimised)]
    private void Put(char c)
    {
        Room(1);
        bytes[length++] = (byte)c;
    }

    [MethodImpl(Clock.Optimised)]
    private void Number(double value)
    {
        // Times are whole numbers where the clock counts ns.
        if (value > -1e15 && value < 1e15 && (long)value == value)
        {
            Number((long)value);
            return;
        }
        Put(value.ToString("R", CultureInfo.InvariantCulture));
    }

    [MethodImpl(Clock.Optimised)]
    private void Number(long value)
    {
        Room(LongestNumber);
        if (value < 0)
        {
            bytes[length++] = (byte)'-';
        }
        var count = 0;
        do
        {
            // The least number has no positive counterpart.
            var digit = value % 10;
            Digits[count++] = (byte)('0' + (digit < 0 ? -digit : digit));
            value /= 10;
        }
        while (value != 0);
        while (count > 0)
        {
            bytes[length++] = Digits[--count];
        }
    }

    [MethodImpl(Clock.Optimised)]
    private void Room(int more)
    {
        if (length + more > bytes.Length)
        {
            Array.Resize(ref bytes, Math.Max(2 * bytes.Length, length + more));
        }
    }
}
