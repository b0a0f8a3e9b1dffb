// Exporters: `tare show ID` writes a run in any form.

namespace BenchmarkDotNet.Exporters
{
    public interface IExporter
    {
    }

    /// <summary>A form of the user's own: its files are not written.</summary>
    public abstract class ExporterBase : IExporter
    {
        public virtual string Name => FileCaption;

        protected virtual string FileExtension => "txt";

        protected virtual string FileNameSuffix => string.Empty;

        protected virtual string FileCaption => "report";

        public abstract void ExportToLog(Reports.Summary summary, Loggers.ILogger logger);
    }

    public class MarkdownExporter : IExporter
    {
        public static readonly IExporter Default = new MarkdownExporter(), Console = Default, StackOverflow = Default, GitHub = Default, Atlassian = Default;
    }

    public class HtmlExporter : IExporter
    {
        public static readonly IExporter Default = new HtmlExporter();
    }

    public class RPlotExporter : IExporter
    {
        public static readonly IExporter Default = new RPlotExporter();
    }

    public class AsciiDocExporter : IExporter
    {
        public static readonly IExporter Default = new AsciiDocExporter();
    }

    public class PlainExporter : IExporter
    {
        public static readonly IExporter Default = new PlainExporter();
    }
}

namespace BenchmarkDotNet.Exporters.Csv
{
    public enum CsvSeparator
    {
        CurrentCulture, Comma, Semicolon,
    }

    public class CsvExporter : IExporter
    {
        public static readonly IExporter Default = new CsvExporter(CsvSeparator.CurrentCulture);

        public CsvExporter(CsvSeparator separator, Reports.SummaryStyle style = null)
        {
        }
    }

    public class CsvMeasurementsExporter : IExporter
    {
        public static readonly IExporter Default = new CsvMeasurementsExporter(CsvSeparator.CurrentCulture);

        public CsvMeasurementsExporter(CsvSeparator separator, Reports.SummaryStyle style = null)
        {
        }
    }
}

namespace BenchmarkDotNet.Exporters.Json
{
    public class JsonExporter : IExporter
    {
        public static readonly IExporter Brief = new JsonExporter(), BriefCompressed = Brief, Full = Brief, FullCompressed = Brief, Default = Brief;

        public JsonExporter(string fileNameSuffix = "", bool indentJson = false, bool excludeMeasurements = false)
        {
        }
    }
}

namespace BenchmarkDotNet.Exporters.Xml
{
    public class XmlExporter : IExporter
    {
        public static readonly IExporter Default = new XmlExporter(), Brief = Default, Full = Default;
    }
}
