// Attributes that change the presentation, or something that Tare does in another way: they are accepted, and a program that hands
// itself to `tare` names them once, with what to do instead.

using System;

namespace BenchmarkDotNet.Attributes
{
    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly | AttributeTargets.Method, AllowMultiple = true)]
    public abstract class WithoutEffectAttribute : Tare.WithoutEffectAttribute
    {
        internal const string Columns = "the table has the columns that say something; `tare run -v` shows the statistics";
        internal const string Forms = "`tare show ID` writes a run in any form: `--md`, `--csv`, `--json`, `-o FILE`";
        internal const string NotYet = "there is no such diagnoser yet";
        internal const string Enough = "measured until the interval is narrow enough: `--precision`, `--budget` and `--long` change that";
        internal const string WarmUp = "the warm-up is found by values in every process";

        protected WithoutEffectAttribute(string instead)
            : base(instead)
        {
        }
    }

    public class AllStatisticsColumnAttribute : WithoutEffectAttribute
    {
        public AllStatisticsColumnAttribute() : base(Columns) { }
    }

    public class BaselineColumnAttribute : WithoutEffectAttribute
    {
        public BaselineColumnAttribute() : base(Columns) { }
    }

    public class CategoriesColumnAttribute : WithoutEffectAttribute
    {
        public CategoriesColumnAttribute() : base(Columns) { }
    }

    public class IterationsColumnAttribute : WithoutEffectAttribute
    {
        public IterationsColumnAttribute() : base(Columns) { }
    }

    public class KurtosisColumnAttribute : WithoutEffectAttribute
    {
        public KurtosisColumnAttribute() : base(Columns) { }
    }

    public class LogicalGroupColumnAttribute : WithoutEffectAttribute
    {
        public LogicalGroupColumnAttribute() : base(Columns) { }
    }

    public class MValueColumnAttribute : WithoutEffectAttribute
    {
        public MValueColumnAttribute() : base(Columns) { }
    }

    public class MaxColumnAttribute : WithoutEffectAttribute
    {
        public MaxColumnAttribute() : base(Columns) { }
    }

    public class MeanColumnAttribute : WithoutEffectAttribute
    {
        public MeanColumnAttribute() : base(Columns) { }
    }

    public class MedianColumnAttribute : WithoutEffectAttribute
    {
        public MedianColumnAttribute() : base(Columns) { }
    }

    public class MinColumnAttribute : WithoutEffectAttribute
    {
        public MinColumnAttribute() : base(Columns) { }
    }

    public class NamespaceColumnAttribute : WithoutEffectAttribute
    {
        public NamespaceColumnAttribute() : base(Columns) { }
    }

    public class OperationsPerSecondAttribute : WithoutEffectAttribute
    {
        public OperationsPerSecondAttribute() : base(Columns) { }
    }

    public class Q1ColumnAttribute : WithoutEffectAttribute
    {
        public Q1ColumnAttribute() : base(Columns) { }
    }

    public class Q3ColumnAttribute : WithoutEffectAttribute
    {
        public Q3ColumnAttribute() : base(Columns) { }
    }

    public class SkewnessColumnAttribute : WithoutEffectAttribute
    {
        public SkewnessColumnAttribute() : base(Columns) { }
    }

    public class StdDevColumnAttribute : WithoutEffectAttribute
    {
        public StdDevColumnAttribute() : base(Columns) { }
    }

    public class StdErrorColumnAttribute : WithoutEffectAttribute
    {
        public StdErrorColumnAttribute() : base(Columns) { }
    }

    public class ConfidenceIntervalErrorColumnAttribute : WithoutEffectAttribute
    {
        public ConfidenceIntervalErrorColumnAttribute(object level = null) : base(Columns) { }
    }

    public class RankColumnAttribute : WithoutEffectAttribute
    {
        public RankColumnAttribute(Mathematics.NumeralSystem system = Mathematics.NumeralSystem.Arabic) : base(Columns) { }
    }

    public class HideColumnsAttribute : WithoutEffectAttribute
    {
        public HideColumnsAttribute(params string[] names) : base(Columns) { }
    }

    public class StatisticalTestColumnAttribute : WithoutEffectAttribute
    {
        public StatisticalTestColumnAttribute(params object[] arguments) : base("every comparison has a verdict; `--min-effect` sets the smallest change that matters") { }
    }

    public class AsciiDocExporterAttribute : WithoutEffectAttribute
    {
        public AsciiDocExporterAttribute() : base(Forms) { }
    }

    public class CsvExporterAttribute : WithoutEffectAttribute
    {
        public CsvExporterAttribute(BenchmarkDotNet.Exporters.Csv.CsvSeparator separator = BenchmarkDotNet.Exporters.Csv.CsvSeparator.CurrentCulture) : base(Forms) { }
    }

    public class CsvMeasurementsExporterAttribute : WithoutEffectAttribute
    {
        public CsvMeasurementsExporterAttribute(BenchmarkDotNet.Exporters.Csv.CsvSeparator separator = BenchmarkDotNet.Exporters.Csv.CsvSeparator.CurrentCulture) : base(Forms) { }
    }

    public class HtmlExporterAttribute : WithoutEffectAttribute
    {
        public HtmlExporterAttribute() : base(Forms) { }
    }

    public class PlainExporterAttribute : WithoutEffectAttribute
    {
        public PlainExporterAttribute() : base(Forms) { }
    }

    public class RPlotExporterAttribute : WithoutEffectAttribute
    {
        public RPlotExporterAttribute() : base(Forms) { }
    }

    public class MarkdownExporterAttribute : WithoutEffectAttribute
    {
        public MarkdownExporterAttribute() : base(Forms) { }

        public class Atlassian : MarkdownExporterAttribute
        {
        }

        public class Default : MarkdownExporterAttribute
        {
        }

        public class GitHub : MarkdownExporterAttribute
        {
        }

        public class StackOverflow : MarkdownExporterAttribute
        {
        }
    }

    public class JsonExporterAttribute : WithoutEffectAttribute
    {
        public JsonExporterAttribute(string fileNameSuffix = "", bool indentJson = false, bool excludeMeasurements = false) : base(Forms) { }

        public class Brief : JsonExporterAttribute
        {
        }

        public class BriefCompressed : JsonExporterAttribute
        {
        }

        public class Full : JsonExporterAttribute
        {
        }

        public class FullCompressed : JsonExporterAttribute
        {
        }
    }

    public class XmlExporterAttribute : WithoutEffectAttribute
    {
        public XmlExporterAttribute(string fileNameSuffix = "", bool indentJson = false, bool excludeMeasurements = false) : base(Forms) { }

        public class Brief : XmlExporterAttribute
        {
        }

        public class BriefCompressed : XmlExporterAttribute
        {
        }

        public class Full : XmlExporterAttribute
        {
        }

        public class FullCompressed : XmlExporterAttribute
        {
        }
    }
}
