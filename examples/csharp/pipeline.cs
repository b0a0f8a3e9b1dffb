// A message goes through a pipeline of steps, each of which calls the next. The first version creates a closure for every step of every
// message. The second creates the chain once. Two more classes measure what the change costs elsewhere: the first message, which has to
// create the chain, and a step that throws.

using System;
using System.Linq;
using System.Threading.Tasks;
using Tare;

public sealed class Message
{
    public int Steps;
}

public interface IStep
{
    Task Invoke(Message message, Func<Message, Task> next);
}

public sealed class Passing : IStep
{
    public Task Invoke(Message message, Func<Message, Task> next)
    {
        message.Steps++;
        return next(message);
    }
}

public sealed class Throwing : IStep
{
    public Task Invoke(Message message, Func<Message, Task> next) => throw new InvalidOperationException("the last step");
}

public class Pipeline
{
    private readonly Message message = new Message();
    private IStep[] steps;
    private Func<Message, Task> chain;

    [Params(10, 20, 40)]
    public int Depth;

    [GlobalSetup]
    public void Build()
    {
        steps = Enumerable.Range(0, Depth).Select(_ => (IStep)new Passing()).ToArray();
        chain = Chain(steps);
    }

    [Benchmark(Baseline = true)]
    public Task Closures() => From(steps, 0, message);

    [Benchmark]
    public Task Cached() => chain(message);

    internal static Task From(IStep[] steps, int at, Message message) =>
        at == steps.Length ? Task.CompletedTask : steps[at].Invoke(message, m => From(steps, at + 1, m));

    internal static Func<Message, Task> Chain(IStep[] steps)
    {
        Func<Message, Task> next = _ => Task.CompletedTask;
        foreach (var step in steps.Reverse())
        {
            var after = next;
            next = m => step.Invoke(m, after);
        }
        return next;
    }
}

public class PipelineWarmUp
{
    private readonly Message message = new Message();

    [Params(10, 20, 40)]
    public int Depth;

    [Benchmark(Baseline = true)]
    public Task Closures() => Pipeline.From(Steps(), 0, message);

    [Benchmark]
    public Task Cached() => Pipeline.Chain(Steps())(message);

    private IStep[] Steps()
    {
        var steps = new IStep[Depth];
        for (var i = 0; i < steps.Length; i++)
        {
            steps[i] = new Passing();
        }
        return steps;
    }
}

public class PipelineException
{
    private readonly Message message = new Message();
    private IStep[] steps;
    private Func<Message, Task> chain;

    [GlobalSetup]
    public void Build()
    {
        steps = Enumerable.Range(0, 10).Select(_ => (IStep)new Passing()).Append(new Throwing()).ToArray();
        chain = Pipeline.Chain(steps);
    }

    [Benchmark(Baseline = true)]
    public async Task<bool> Closures() => await Fails(m => Pipeline.From(steps, 0, m));

    [Benchmark]
    public async Task<bool> Cached() => await Fails(chain);

    private async Task<bool> Fails(Func<Message, Task> run)
    {
        try
        {
            await run(message);
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }
}
