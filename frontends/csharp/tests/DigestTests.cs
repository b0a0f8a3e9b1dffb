// Texts and digests of values are the same in all languages (spec/digests.txt).

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Text;

namespace Tare.Tests;

public class DigestTests
{
    [Fact]
    public void DigestsAreThoseOfAllLanguages()
    {
        var compared = 0;
        foreach (var line in File.ReadLines(Path.Combine(Place.Root, "spec", "digests.txt")).Where(line => line.Length > 0 && line[0] != '#'))
        {
            var columns = line.Split('\t');
            object value;
            try
            {
                value = Value(columns[0], columns[1] == "-" ? string.Empty : columns[1]);
            }
            catch (DecoderFallbackException)
            {
                // Bytes that are no text cannot be a text of .NET.
                continue;
            }
            var text = Tare.Texts.Of(value);
            Assert.Equal($"{line}: {columns[2]}", $"{line}: {(text == null ? "-" : Tare.Texts.Digest(text))}");
            compared++;
        }
        Assert.InRange(compared, 60, 1000);
    }

    private static object Value(string kind, string text) => kind switch
    {
        "integer" => Integer(text),
        "float" => Float(text),
        "float32" => BitConverter.Int32BitsToSingle(int.Parse(text, NumberStyles.HexNumber)),
        "boolean" => text == "true",
        "text" => Text(text),
        "bytes" => Convert.FromHexString(text),
        "integers" => Split(text, ',').Select(Integer).ToArray(),
        "floats" => Split(text, ',').Select(Float).ToList(),
        "booleans" => Split(text, ',').Select(one => one == "true").ToArray(),
        "texts" => Split(text, ',').Select(Text).ToList(),
        "lists" => Split(text, ';').Select(list => Split(list.Trim('-'), ',').Select(Integer).ToArray()).ToArray(),
        "pairs" => Split(text, ',').Select(pair => pair.Split(':')).Select(pair => (Integer(pair[0]), Text(pair[1]))).ToArray(),
        _ => throw new NotSupportedException("the kind " + kind),
    };

    private static object Integer(string text)
    {
        var value = BigInteger.Parse(text);
        return value >= long.MinValue && value <= long.MaxValue ? (long)value : value >= 0 && value <= ulong.MaxValue ? (object)(ulong)value : value;
    }

    private static double Float(string bits) => BitConverter.Int64BitsToDouble(long.Parse(bits, NumberStyles.HexNumber));

    private static IEnumerable<string> Split(string text, char at) => text.Length == 0 ? [] : text.Split(at);

    private static string Text(string bytes) => new UTF8Encoding(false, true).GetString(Convert.FromHexString(bytes == "-" ? string.Empty : bytes));
}
