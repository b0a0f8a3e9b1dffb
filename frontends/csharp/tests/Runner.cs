// What the tests use of xunit, which has to be downloaded: with it, delete this file and write `using Xunit;`.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Tare.Tests;

[AttributeUsage(AttributeTargets.Method)]
internal sealed class FactAttribute : Attribute
{
    /// <summary>It takes long, and runs with TARE_TEST_LONG=1 or by its name.</summary>
    public bool Explicit { get; set; }
}

internal sealed class SkipException(string reason) : Exception(reason);

internal sealed class AssertException(string message) : Exception(message);

internal static class Assert
{
    public static void Equal<T>(T expected, T actual) => True(AreEqual(expected, actual), $"expected: {Shown(expected)}\nactual:   {Shown(actual)}");

    public static void Equal<T>(IEnumerable<T> expected, IEnumerable<T> actual) => Equal((object)expected, actual);

    public static void Contains(string part, string text) => True((text ?? string.Empty).Contains(part), $"`{part}` is not in: {text}");

    public static void DoesNotContain(string part, string text) => True(!text.Contains(part), $"`{part}` is in: {text}");

    public static void Matches(string pattern, string text) => True(Regex.IsMatch(text, pattern), $"`{pattern}` does not match: {text}");

    public static void InRange<T>(T actual, T low, T high)
        where T : IComparable => True(actual.CompareTo(low) >= 0 && actual.CompareTo(high) <= 0, $"{actual} is not from {low} to {high}");

    public static void Null(object actual) => True(actual == null, $"not null: {actual}");

    public static void Empty(IEnumerable actual) => True(!actual.GetEnumerator().MoveNext(), $"not empty: {Shown(actual)}");

    public static void True(bool condition, string message = "not true")
    {
        if (!condition)
        {
            throw new AssertException(message);
        }
    }

    public static void SkipUnless(bool condition, string reason)
    {
        if (!condition)
        {
            throw new SkipException(reason);
        }
    }

    private static bool AreEqual(object expected, object actual) =>
        expected is IEnumerable some and not string ? some.Cast<object>().SequenceEqual(((IEnumerable)actual).Cast<object>()) : Equals(expected, actual);

    private static object Shown(object value) => value is IEnumerable some and not string ? "[" + string.Join(", ", some.Cast<object>()) + "]" : value ?? "null";
}

/// <summary>Runs all tests, or those whose names contain one of the arguments: `Class.Method`.</summary>
internal static class Runner
{
    private static int Main(string[] names)
    {
        var isLong = names.Length > 0 || Environment.GetEnvironmentVariable("TARE_TEST_LONG") != null;
        int passed = 0, failed = 0, skipped = 0;
        foreach (var test in typeof(Runner).Assembly.GetTypes().SelectMany(type => type.GetMethods()).OrderBy(test => test.MetadataToken))
        {
            var fact = test.GetCustomAttribute<FactAttribute>();
            var name = test.DeclaringType.Name + "." + test.Name;
            if (fact == null || (names.Length > 0 && !names.Any(name.Contains)))
            {
                continue;
            }
            var watch = Stopwatch.StartNew();
            try
            {
                Assert.SkipUnless(isLong || !fact.Explicit, "takes long");
                Run(test);
                passed++;
                Console.WriteLine($"{name} ({watch.Elapsed.TotalSeconds:0.0} s)");
            }
            catch (SkipException skip)
            {
                skipped++;
                Console.WriteLine($"skipped: C#: {name}: {skip.Message}");
            }
            catch (Exception wrong)
            {
                failed++;
                Console.WriteLine($"--- FAILED: {name}\n{wrong}");
            }
        }
        Console.WriteLine($"{passed} passed, {failed} failed, {skipped} skipped");
        return failed > 0 || passed + skipped == 0 ? 1 : 0;
    }

    private static void Run(MethodInfo test)
    {
        var instance = Activator.CreateInstance(test.DeclaringType, BindingFlags.DoNotWrapExceptions | BindingFlags.Public | BindingFlags.Instance, null, null, null);
        try
        {
            test.Invoke(instance, BindingFlags.DoNotWrapExceptions, null, null, null);
        }
        finally
        {
            (instance as IDisposable)?.Dispose();
        }
    }
}
