// Diagnosers: allocated bytes are always counted; the others are named as being without effect.

using System.Collections.Generic;

namespace BenchmarkDotNet.Diagnosers
{
    public interface IDiagnoser
    {
    }

    public enum HardwareCounter
    {
        NotSet, Timer, TotalIssues, BranchInstructions, CacheMisses, BranchMispredictions, TotalCycles, UnhaltedCoreCycles, InstructionRetired,
        UnhaltedReferenceCycles, LlcReference, LlcMisses, BranchInstructionRetired, BranchMispredictsRetired,
    }

    /// <summary>Allocated bytes are counted in every visit.</summary>
    public class MemoryDiagnoser : IDiagnoser
    {
        public static readonly MemoryDiagnoser Default = new MemoryDiagnoser(null);

        public MemoryDiagnoser(MemoryDiagnoserConfig config)
        {
        }
    }

    public class MemoryDiagnoserConfig
    {
        public MemoryDiagnoserConfig(bool displayGenColumns = true)
        {
        }
    }

    public class ThreadingDiagnoser : IDiagnoser
    {
        public static readonly ThreadingDiagnoser Default = new ThreadingDiagnoser();

        public ThreadingDiagnoser(ThreadingDiagnoserConfig config = null)
        {
        }
    }

    public class ExceptionDiagnoser : IDiagnoser
    {
        public static readonly ExceptionDiagnoser Default = new ExceptionDiagnoser();

        public ExceptionDiagnoser(Attributes.ExceptionDiagnoserConfig config = null)
        {
        }
    }

    public enum DisassemblySyntax
    {
        Masm, Intel, Att,
    }

    public class DisassemblyDiagnoserConfig
    {
        public DisassemblyDiagnoserConfig(int maxDepth = 1, DisassemblySyntax syntax = DisassemblySyntax.Masm, string[] filters = null, object formatterOptions = null, bool printSource = false,
            bool printInstructionAddresses = false, bool exportGithubMarkdown = true, bool exportHtml = false, bool exportCombinedDisassemblyReport = false, bool exportDiff = false)
        {
        }
    }

    public class DisassemblyDiagnoser : IDiagnoser
    {
        public DisassemblyDiagnoser(DisassemblyDiagnoserConfig config)
        {
        }
    }

    public enum RunMode
    {
        None, NoOverhead, ExtraRun, ExtraIteration, SeparateLogic,
    }

    public class DiagnoserActionParameters
    {
    }

    public class DiagnoserResults
    {
        public Running.BenchmarkCase BenchmarkCase => null;

        public long TotalOperations => 0;
    }

    public interface IMetricDescriptor
    {
    }

    public enum EventPipeProfile
    {
        CpuSampling, GcVerbose, GcCollect, Jit,
    }

    public class EventPipeProfiler : IDiagnoser
    {
        public static readonly EventPipeProfiler Default = new EventPipeProfiler();

        public EventPipeProfiler(EventPipeProfile profile = EventPipeProfile.CpuSampling, IReadOnlyCollection<object> providers = null, bool performExtraBenchmarksRun = true)
        {
        }
    }

    public class PerfCollectProfiler : IDiagnoser
    {
        public static readonly PerfCollectProfiler Default = new PerfCollectProfiler();

        public PerfCollectProfiler(PerfCollectProfilerConfig config = null)
        {
        }
    }
}

namespace BenchmarkDotNet.Diagnostics.Windows
{
    using BenchmarkDotNet.Diagnosers;

    public class EtwProfiler : IDiagnoser
    {
    }

    public class InliningDiagnoser : IDiagnoser
    {
        public InliningDiagnoser(bool logFailuresOnly = true, bool filterByNamespace = true)
        {
        }
    }

    public class TailCallDiagnoser : IDiagnoser
    {
        public TailCallDiagnoser(bool logFailuresOnly = true, bool filterByNamespace = true)
        {
        }
    }

    public class NativeMemoryProfiler : IDiagnoser
    {
    }
}
