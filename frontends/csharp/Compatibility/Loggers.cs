// Loggers, which write what the user's own code gives them, and validators.

using System;
using System.Collections.Generic;
using System.Text;

namespace BenchmarkDotNet.Loggers
{
    public enum LogKind
    {
        Default, Help, Header, Result, Statistic, Info, Error, Warning, Hint,
    }

    public interface ILogger
    {
        void Write(LogKind logKind, string text);

        void WriteLine();

        void WriteLine(LogKind logKind, string text);

        void Flush();
    }

    public static class LoggerExtensions
    {
        public static void Write(this ILogger logger, string text) => logger.Write(LogKind.Default, text);

        public static void WriteLine(this ILogger logger, string text) => logger.WriteLine(LogKind.Default, text);

        public static void WriteHelp(this ILogger logger, string text) => logger.Write(LogKind.Help, text);

        public static void WriteLineHelp(this ILogger logger, string text) => logger.WriteLine(LogKind.Help, text);

        public static void WriteHeader(this ILogger logger, string text) => logger.Write(LogKind.Header, text);

        public static void WriteLineHeader(this ILogger logger, string text) => logger.WriteLine(LogKind.Header, text);

        public static void WriteResult(this ILogger logger, string text) => logger.Write(LogKind.Result, text);

        public static void WriteLineResult(this ILogger logger, string text) => logger.WriteLine(LogKind.Result, text);

        public static void WriteStatistic(this ILogger logger, string text) => logger.Write(LogKind.Statistic, text);

        public static void WriteLineStatistic(this ILogger logger, string text) => logger.WriteLine(LogKind.Statistic, text);

        public static void WriteInfo(this ILogger logger, string text) => logger.Write(LogKind.Info, text);

        public static void WriteLineInfo(this ILogger logger, string text) => logger.WriteLine(LogKind.Info, text);

        public static void WriteError(this ILogger logger, string text) => logger.Write(LogKind.Error, text);

        public static void WriteLineError(this ILogger logger, string text) => logger.WriteLine(LogKind.Error, text);

        public static void WriteHint(this ILogger logger, string text) => logger.Write(LogKind.Hint, text);

        public static void WriteLineHint(this ILogger logger, string text) => logger.WriteLine(LogKind.Hint, text);
    }

    public class ConsoleLogger : ILogger
    {
        public static readonly ILogger Default = new ConsoleLogger(), Unicode = Default, Ascii = Default;

        public ConsoleLogger(bool unicodeSupport = false, object colorScheme = null)
        {
        }

        public void Write(LogKind logKind, string text) => Console.Write(text);

        public void WriteLine() => Console.WriteLine();

        public void WriteLine(LogKind logKind, string text) => Console.WriteLine(text);

        public void Flush() => Console.Out.Flush();
    }

    public class NullLogger : ILogger
    {
        public static readonly ILogger Instance = new NullLogger();

        public void Write(LogKind logKind, string text)
        {
        }

        public void WriteLine()
        {
        }

        public void WriteLine(LogKind logKind, string text)
        {
        }

        public void Flush()
        {
        }
    }

    /// <summary>Keeps what is written.</summary>
    public class AccumulationLogger : ILogger
    {
        private readonly StringBuilder log = new StringBuilder();

        public void Write(LogKind logKind, string text) => log.Append(text);

        public void WriteLine() => log.AppendLine();

        public void WriteLine(LogKind logKind, string text) => log.AppendLine(text);

        public void Flush()
        {
        }

        public void ClearLog() => log.Clear();

        public string GetLog() => log.ToString();
    }
}

namespace BenchmarkDotNet.Validators
{
    public interface IValidator
    {
    }

    public class ValidationParameters
    {
        public IReadOnlyList<Running.BenchmarkCase> Benchmarks => new Running.BenchmarkCase[0];

        public Configs.IConfig Config => null;
    }

    public class ValidationError
    {
        public ValidationError(bool isCritical, string message, Running.BenchmarkCase benchmarkCase = null)
        {
            IsCritical = isCritical;
            Message = message;
        }

        public bool IsCritical { get; }

        public string Message { get; }
    }

    public class BaselineValidator : IValidator
    {
        public static readonly BaselineValidator FailOnError = new BaselineValidator();
    }

    public class JitOptimizationsValidator : IValidator
    {
        public static readonly JitOptimizationsValidator DontFailOnError = new JitOptimizationsValidator(), FailOnError = DontFailOnError;
    }

    public class ExecutionValidator : IValidator
    {
        public static readonly ExecutionValidator DontFailOnError = new ExecutionValidator(), FailOnError = DontFailOnError;
    }

    public class ReturnValueValidator : IValidator
    {
        internal const string Instead = "results are compared with those of the baseline, which `Baseline = true` names; `--fail-on different` fails where they differ";
        public static readonly ReturnValueValidator DontFailOnError = new ReturnValueValidator(), FailOnError = DontFailOnError;
    }
}
