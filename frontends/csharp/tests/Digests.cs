// Compares the texts and digests of values with spec/digests.txt: the path is the argument; prints what differs, then the number of lines.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Text;

internal static class Digests
{
    private static int Main(string[] args)
    {
        var texts = typeof(Tare.BenchmarkRunner).Assembly.GetType("Tare.Texts", true);
        var of = texts.GetMethod("Of", BindingFlags.NonPublic | BindingFlags.Static);
        var digest = texts.GetMethod("Digest", BindingFlags.NonPublic | BindingFlags.Static);
        int count = 0, wrong = 0;
        foreach (var line in System.IO.File.ReadAllLines(args[0]).Where(l => l.Length > 0 && l[0] != '#'))
        {
            var parts = line.Split('\t');
            object value;
            try
            {
                value = Value(parts[0], parts[1] == "-" ? string.Empty : parts[1]);
            }
            catch (DecoderFallbackException)
            {
                // Bytes that are no text cannot be a text of .NET.
                continue;
            }
            count++;
            var text = (string)of.Invoke(null, new[] { value });
            var hash = text == null ? "-" : (string)digest.Invoke(null, new object[] { text });
            if (hash != parts[2])
            {
                wrong++;
                Console.WriteLine("wrong: " + line + " is " + text + " " + hash);
            }
        }
        Console.WriteLine(count + " lines, " + wrong + " wrong");
        return wrong == 0 ? 0 : 1;
    }

    private static object Value(string kind, string text)
    {
        switch (kind)
        {
            case "integer":
                return Integer(text);
            case "float":
                return BitConverter.Int64BitsToDouble(long.Parse(text, NumberStyles.HexNumber));
            case "float32":
                return BitConverter.Int32BitsToSingle(int.Parse(text, NumberStyles.HexNumber));
            case "boolean":
                return text == "true";
            case "text":
                return Text(text);
            case "bytes":
                return Bytes(text);
            case "integers":
                return Split(text, ',').Select(Integer).ToArray();
            case "floats":
                return Split(text, ',').Select(t => BitConverter.Int64BitsToDouble(long.Parse(t, NumberStyles.HexNumber))).ToList();
            case "booleans":
                return Split(text, ',').Select(t => t == "true").ToArray();
            case "texts":
                return Split(text, ',').Select(t => Text(t == "-" ? string.Empty : t)).ToList();
            case "lists":
                return Split(text, ';').Select(t => Split(t == "-" ? string.Empty : t, ',').Select(Integer).ToArray()).ToArray();
            case "pairs":
                return Split(text, ',').Select(t => t.Split(':')).Select(p => (Integer(p[0]), Text(p[1]))).ToArray();
            default:
                throw new NotSupportedException("the kind " + kind);
        }
    }

    private static object Integer(string text)
    {
        var value = BigInteger.Parse(text);
        return value >= long.MinValue && value <= long.MaxValue ? (long)value : value <= ulong.MaxValue && value >= 0 ? (object)(ulong)value : value;
    }

    private static IEnumerable<string> Split(string text, char at) => text.Length == 0 ? Enumerable.Empty<string>() : text.Split(at);

    private static byte[] Bytes(string text) => Enumerable.Range(0, text.Length / 2).Select(i => Convert.ToByte(text.Substring(2 * i, 2), 16)).ToArray();

    private static string Text(string text) => new UTF8Encoding(false, true).GetString(Bytes(text));
}
