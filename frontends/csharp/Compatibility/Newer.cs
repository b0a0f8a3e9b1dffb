// What BenchmarkDotNet has had since version 0.14, as far as benchmark classes and their configurations use it.

using System;
using System.IO;
using BenchmarkDotNet.Engines;

namespace BenchmarkDotNet.Attributes
{
    /// <summary>Nobody asks a body to end early: the token is never cancelled, and one that hangs is ended with its process.</summary>
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
    public class BenchmarkCancellationAttribute : Attribute
    {
    }

    public class AsyncCallerTypeAttribute : WithoutEffectAttribute
    {
        public AsyncCallerTypeAttribute(Type asyncCallerType) : base("a task is awaited by the thread that measures") { }
    }

    public class InnerIterationCountAttribute : Tare.SettingAttribute
    {
        public InnerIterationCountAttribute(int invocationCount) : base(invocationCount) { }
    }

    public class JitTieringAttribute : WithoutEffectAttribute
    {
        public JitTieringAttribute(JitTieringMode mode) : base(BenchmarkDotNet.Jobs.RunMode.Tiering) { }
    }

    public enum InProcessToolchainType
    {
        Auto, Emit, NoEmit,
    }

    public class ExceptionDiagnoserConfig
    {
        public ExceptionDiagnoserConfig(bool displayExceptionsIfZeroValue = true)
        {
        }
    }
}

namespace BenchmarkDotNet.Attributes.CompilerServices
{
    /// <summary>Code that is optimised at its first call.</summary>
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
    public sealed class AggressivelyOptimizeMethodsAttribute : WithoutEffectAttribute
    {
        public AggressivelyOptimizeMethodsAttribute() : base("write `[MethodImpl(MethodImplOptions.AggressiveOptimization)]` at the method") { }
    }
}

namespace BenchmarkDotNet.Configs
{
    public enum WakeLockType
    {
        None, System, Display,
    }
}

namespace BenchmarkDotNet.Engines
{
    public enum JitTieringMode
    {
        Auto, Force, Skip,
    }
}

namespace BenchmarkDotNet.Diagnosers
{
    public class ThreadingDiagnoserConfig
    {
        public ThreadingDiagnoserConfig(bool displayLockContentionWhenZero = true, bool displayCompletedWorkItemCountWhenZero = true)
        {
        }
    }

    public class PerfCollectProfilerConfig
    {
        public PerfCollectProfilerConfig(bool performExtraBenchmarksRun = false, int timeoutInSeconds = 300)
        {
        }
    }
}

namespace BenchmarkDotNet.Diagnostics.dotTrace
{
    public class DotTraceDiagnoser : Diagnosers.IDiagnoser
    {
        public DotTraceDiagnoser(Uri nugetUrl = null, string downloadTo = null)
        {
        }
    }

    public class DotTraceDiagnoserAttribute : Attributes.WithoutEffectAttribute
    {
        public DotTraceDiagnoserAttribute(Uri nugetUrl = null, string downloadTo = null) : base(NotYet) { }
    }
}

namespace BenchmarkDotNet.Diagnostics.dotMemory
{
    public class DotMemoryDiagnoser : Diagnosers.IDiagnoser
    {
        public DotMemoryDiagnoser(Uri nugetUrl = null, string downloadTo = null)
        {
        }
    }

    public class DotMemoryDiagnoserAttribute : Attributes.WithoutEffectAttribute
    {
        public DotMemoryDiagnoserAttribute(Uri nugetUrl = null, string downloadTo = null) : base(NotYet) { }
    }
}

namespace Microsoft.VSDiagnostics
{
    // The template of Visual Studio writes these at its classes.
    public class CPUUsageDiagnoserAttribute : BenchmarkDotNet.Attributes.WithoutEffectAttribute
    {
        public CPUUsageDiagnoserAttribute() : base(NotYet) { }
    }

    public class DotNetObjectAllocDiagnoserAttribute : BenchmarkDotNet.Attributes.WithoutEffectAttribute
    {
        public DotNetObjectAllocDiagnoserAttribute() : base("allocated bytes are counted in every visit") { }
    }
}

namespace BenchmarkDotNet.Columns
{
    public sealed class ColumnHidingByNameRule : IColumnHidingRule
    {
        public ColumnHidingByNameRule(string name)
        {
        }
    }
}

namespace BenchmarkDotNet.Loggers
{
    /// <summary>Writes what the user's own code gives it.</summary>
    public class TextLogger : ILogger, IDisposable
    {
        private readonly TextWriter writer;

        public TextLogger(TextWriter writer)
        {
            this.writer = writer;
        }

        public string Id => nameof(TextLogger);

        public int Priority => 0;

        public virtual void Write(LogKind logKind, string text) => writer.Write(text);

        public virtual void WriteLine() => writer.WriteLine();

        public virtual void WriteLine(LogKind logKind, string text) => writer.WriteLine(text);

        public void Flush() => writer.Flush();

        public void Dispose() => writer.Dispose();
    }

    public class StreamLogger : TextLogger
    {
        public StreamLogger(StreamWriter writer)
            : base(writer)
        {
        }

        public StreamLogger(string filePath, bool append = false)
            : base(new StreamWriter(filePath, append))
        {
        }
    }
}

namespace BenchmarkDotNet.Jobs
{
    public class MsBuildProperty : MsBuildArgument
    {
        public MsBuildProperty(string name, params string[] values)
            : base("/p:" + name + "=" + string.Join(";", values))
        {
        }
    }
}
