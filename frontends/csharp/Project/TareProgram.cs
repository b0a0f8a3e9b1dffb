internal static class TareProgram
{
    private static int Main(string[] args) => global::Tare.BenchmarkSwitcher.FromAssembly(typeof(TareProgram).Assembly).Run(args).ExitCode;
}
