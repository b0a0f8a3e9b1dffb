// What is said of an exception of the user's code.

using System;
using System.Diagnostics;
using System.Linq;
using System.Reflection;

namespace Tare;

internal static class Thrown
{
    /// <summary>`Type: message`, with the file and line where they are known.</summary>
    internal static string Text(Exception thrown)
    {
        while (thrown is TargetInvocationException { InnerException: { } inner })
        {
            thrown = inner;
        }
        var place = Place(thrown);
        return $"{thrown.GetType().Name}: {Message(thrown)}{(place == null ? "" : $" ({place.GetFileName()}:{place.GetFileLineNumber()})")}";
    }

    /// <summary>Its message; that of a failed type initializer says nothing without the exception that failed it.</summary>
    internal static string Message(Exception thrown)
    {
        var text = thrown.Message;
        while (thrown is TypeInitializationException { InnerException: { } inner })
        {
            text += $" {inner.GetType().Name}: {inner.Message}";
            thrown = inner;
        }
        return text;
    }

    /// <summary>Where the user's code was when it was thrown, as far as the debug information tells.</summary>
    internal static StackFrame? Place(Exception thrown)
    {
        while (thrown is TypeInitializationException { InnerException: { } inner })
        {
            thrown = inner;
        }
        var frames = new StackTrace(thrown, true).GetFrames() ?? [];
        return frames.FirstOrDefault(f => f != null && !string.IsNullOrEmpty(f.GetFileName()) && f.GetFileLineNumber() > 0 && !Survey.IsOurs(f.GetMethod()?.Module.Assembly));
    }
}
