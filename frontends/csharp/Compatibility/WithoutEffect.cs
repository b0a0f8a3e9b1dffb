// Attributes of the method and of diagnosers that are accepted without effect; see Presentation.cs.

namespace BenchmarkDotNet.Attributes
{
    public class ThreadingDiagnoserAttribute : WithoutEffectAttribute
    {
        public ThreadingDiagnoserAttribute(bool displayLockContentionWhenZero = true, bool displayCompletedWorkItemCountWhenZero = true) : base(NotYet) { }
    }

    public class ExceptionDiagnoserAttribute : WithoutEffectAttribute
    {
        public ExceptionDiagnoserAttribute(bool displayExceptionsIfZeroValue = true) : base(NotYet) { }
    }

    public class EventPipeProfilerAttribute : WithoutEffectAttribute
    {
        public EventPipeProfilerAttribute(object profile = null) : base(NotYet) { }
    }

    public class HardwareCountersAttribute : WithoutEffectAttribute
    {
        public HardwareCountersAttribute(params object[] counters) : base(NotYet) { }
    }

    public class DisassemblyDiagnoserAttribute : WithoutEffectAttribute
    {
        public DisassemblyDiagnoserAttribute(int maxDepth = 1, Diagnosers.DisassemblySyntax syntax = Diagnosers.DisassemblySyntax.Masm, bool printSource = false, bool printInstructionAddresses = false, bool exportGithubMarkdown = true,
            bool exportHtml = false, bool exportCombinedDisassemblyReport = false, bool exportDiff = false, params string[] filters) : base(NotYet) { }

        /// <summary>Before version 0.12.1.</summary>
        public DisassemblyDiagnoserAttribute(bool printAsm, bool printIL = false, bool printSource = false, bool printPrologAndEpilog = false, int recursiveDepth = 1, bool printDiff = false) : base(NotYet) { }
    }

    public class IterationCountAttribute : WithoutEffectAttribute
    {
        public IterationCountAttribute(int count) : base(Enough) { }
    }

    public class MinIterationCountAttribute : WithoutEffectAttribute
    {
        public MinIterationCountAttribute(int count) : base(Enough) { }
    }

    public class MaxIterationCountAttribute : WithoutEffectAttribute
    {
        public MaxIterationCountAttribute(int count) : base(Enough) { }
    }

    public class MaxRelativeErrorAttribute : WithoutEffectAttribute
    {
        public MaxRelativeErrorAttribute(double maxRelativeError) : base(Enough) { }
    }

    public class MaxAbsoluteErrorAttribute : WithoutEffectAttribute
    {
        public MaxAbsoluteErrorAttribute(double maxAbsoluteError) : base(Enough) { }
    }

    public class IterationTimeAttribute : WithoutEffectAttribute
    {
        public IterationTimeAttribute(double milliseconds) : base("an iteration of about 1 ms is part of the method") { }
    }

    public class MinIterationTimeAttribute : WithoutEffectAttribute
    {
        public MinIterationTimeAttribute(double milliseconds) : base("an iteration of about 1 ms is part of the method") { }
    }

    public class WarmupCountAttribute : WithoutEffectAttribute
    {
        public WarmupCountAttribute(int count) : base(WarmUp) { }
    }

    public class MinWarmupCountAttribute : WithoutEffectAttribute
    {
        public MinWarmupCountAttribute(int count) : base(WarmUp) { }
    }

    public class MaxWarmupCountAttribute : WithoutEffectAttribute
    {
        public MaxWarmupCountAttribute(int count, bool forceAutoWarmup = false) : base(WarmUp) { }
    }

    public class ProcessCountAttribute : WithoutEffectAttribute
    {
        public ProcessCountAttribute(int count) : base("several processes are the rule; `--launches N` sets their number") { }
    }

    public class MinInvokeCountAttribute : WithoutEffectAttribute
    {
        public MinInvokeCountAttribute(int count) : base("a pilot finds the number of calls; `--invocations N` sets it") { }
    }

    public class EvaluateOverheadAttribute : WithoutEffectAttribute
    {
        public EvaluateOverheadAttribute(bool value = true) : base("the loop is measured beside every benchmark") { }
    }

    public class GcForceAttribute : WithoutEffectAttribute
    {
        public GcForceAttribute(bool value = true) : base("collections happen when the runtime makes them, and are counted") { }
    }

    public class OutliersAttribute : WithoutEffectAttribute
    {
        public OutliersAttribute(object mode = null) : base("nothing is dropped for being slow") { }
    }

    public class OrdererAttribute : WithoutEffectAttribute
    {
        public OrdererAttribute(object summaryOrderPolicy = null, object methodOrderPolicy = null) : base("rows stay in the order of their declaration") { }
    }

    public class ExecutionValidatorAttribute : WithoutEffectAttribute
    {
        public ExecutionValidatorAttribute(bool failOnError = true) : base("every body is run once before it is measured") { }
    }

    public class ReturnValueValidatorAttribute : WithoutEffectAttribute
    {
        public ReturnValueValidatorAttribute(bool failOnError = true) : base(Validators.ReturnValueValidator.Instead) { }
    }

    public class UnicodeConsoleLoggerAttribute : WithoutEffectAttribute
    {
        public UnicodeConsoleLoggerAttribute() : base("the terminal decides; `--ascii` writes plain characters") { }
    }

    public class KeepBenchmarkFilesAttribute : WithoutEffectAttribute
    {
        public KeepBenchmarkFilesAttribute(bool value = true) : base("no project is generated") { }
    }

    public class StopOnFirstErrorAttribute : WithoutEffectAttribute
    {
        public StopOnFirstErrorAttribute(bool value = true) : base("a benchmark that fails does not stop the others") { }
    }

    public class ArtifactsPathAttribute : WithoutEffectAttribute
    {
        public ArtifactsPathAttribute(string path) : base("runs are kept in `.tare`; `-o FILE` writes another form") { }
    }

    public class WakeLockAttribute : WithoutEffectAttribute
    {
        public WakeLockAttribute(object wakeLockType = null) : base("`tare doctor` says what makes a machine unfit to measure on") { }
    }

    public class InProcessAttribute : WithoutEffectAttribute
    {
        private const string Own = "every benchmark runs in processes of its own";

        public InProcessAttribute(InProcessToolchainType toolchainType = InProcessToolchainType.Auto, bool executeOnSeparateThread = true) : base(Own) { }

        /// <summary>Before version 0.15.</summary>
        public InProcessAttribute(bool dontLogOutput) : base(Own) { }
    }

    public class PerfCollectProfilerAttribute : WithoutEffectAttribute
    {
        public PerfCollectProfilerAttribute(bool performExtraBenchmarksRun = false, int timeoutInSeconds = 300) : base(NotYet) { }
    }

    public class AnyCategoriesFilterAttribute : Tare.FilterAttribute
    {
        private readonly Filters.AnyCategoriesFilter filter;

        public AnyCategoriesFilterAttribute(params string[] targetCategories) => filter = new Filters.AnyCategoriesFilter(targetCategories);

        protected override bool Wants(Tare.Candidate candidate) => filter.Wants(candidate);
    }

    public class AllCategoriesFilterAttribute : Tare.FilterAttribute
    {
        private readonly Filters.AllCategoriesFilter filter;

        public AllCategoriesFilterAttribute(params string[] targetCategories) => filter = new Filters.AllCategoriesFilter(targetCategories);

        protected override bool Wants(Tare.Candidate candidate) => filter.Wants(candidate);
    }

    public class OperatingSystemsFilterAttribute : WithoutEffectAttribute
    {
        public OperatingSystemsFilterAttribute(bool allowed, params object[] platforms) : base("`--filter` chooses benchmarks") { }
    }

    public class OperatingSystemsArchitectureFilterAttribute : WithoutEffectAttribute
    {
        public OperatingSystemsArchitectureFilterAttribute(bool allowed, params object[] architectures) : base("`--filter` chooses benchmarks") { }
    }

    public class WelchTTestPValueColumnAttribute : WithoutEffectAttribute
    {
        public WelchTTestPValueColumnAttribute() : base("every comparison has a verdict") { }
    }

    public class MannWhitneyTestPValueColumnAttribute : WithoutEffectAttribute
    {
        public MannWhitneyTestPValueColumnAttribute() : base("every comparison has a verdict") { }
    }

    public class AotFilterAttribute : WithoutEffectAttribute
    {
        public AotFilterAttribute(string reason = null) : base("`--filter` chooses benchmarks") { }
    }

    public class ConsumeTasksSynchronouslyAttribute : WithoutEffectAttribute
    {
        public ConsumeTasksSynchronouslyAttribute(bool value = true) : base("tasks are awaited where they are returned") { }
    }

    public class CategoryDiscovererAttribute : WithoutEffectAttribute
    {
        public CategoryDiscovererAttribute() : base("categories are those of the attributes") { }
    }

    public class OpenMetricsExporterAttribute : WithoutEffectAttribute
    {
        public OpenMetricsExporterAttribute() : base(Forms) { }
    }

    public class PerfonarExporterAttribute : WithoutEffectAttribute
    {
        public PerfonarExporterAttribute() : base(Forms) { }
    }
}

namespace BenchmarkDotNet.Diagnostics.Windows.Configs
{
    using BenchmarkDotNet.Attributes;

    public class EtwProfilerAttribute : WithoutEffectAttribute
    {
        public EtwProfilerAttribute(bool performExtraBenchmarksRun = true) : base(NotYet) { }
    }

    public class NativeMemoryProfilerAttribute : WithoutEffectAttribute
    {
        public NativeMemoryProfilerAttribute() : base(NotYet) { }
    }

    public class ConcurrencyVisualizerProfilerAttribute : WithoutEffectAttribute
    {
        public ConcurrencyVisualizerProfilerAttribute() : base(NotYet) { }
    }

    public class InliningDiagnoserAttribute : WithoutEffectAttribute
    {
        public InliningDiagnoserAttribute(bool logFailuresOnly = true, bool filterByNamespace = true) : base(NotYet) { }
    }

    public class TailCallDiagnoserAttribute : WithoutEffectAttribute
    {
        public TailCallDiagnoserAttribute(bool logFailuresOnly = true, bool filterByNamespace = true) : base(NotYet) { }
    }

    public class JitStatsDiagnoserAttribute : WithoutEffectAttribute
    {
        public JitStatsDiagnoserAttribute() : base(NotYet) { }
    }
}
