// A body that returns the tier of its own code, as the runtime has said last.

using System.Diagnostics.Tracing;
using Tare;

public class Tiers
{
    private static volatile int last;
    private Listener listener;

    [GlobalSetup]
    public void Listen() => listener = new Listener();

    [Benchmark]
    public int OfBody() => last;

    private sealed class Listener : EventListener
    {
        private const EventKeywords Compiler = (EventKeywords)0x10;

        protected override void OnEventSourceCreated(EventSource source)
        {
            if (source.Name == "Microsoft-Windows-DotNETRuntime")
            {
                EnableEvents(source, EventLevel.Verbose, Compiler);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs said)
        {
            // The flags and the name of a method that was compiled.
            if (said.EventName.StartsWith("MethodLoadVerbose") && (string)said.Payload[7] == "OfBody")
            {
                last = (int)((uint)said.Payload[5] >> 7) & 7;
            }
        }
    }
}
