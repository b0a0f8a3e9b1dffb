using Tare;

/// <summary>
/// What the runtime calls before `Main` of a program whose benchmarks another library declares (`DOTNET_STARTUP_HOOKS`): a process that
/// measures never comes to `Main`; one that lists runs it, and answers when it has ended.
/// </summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        if (!Link.IsThere)
        {
            return;
        }
        Survey.RemoveHook();
        Survey.Begin();
    }
}
