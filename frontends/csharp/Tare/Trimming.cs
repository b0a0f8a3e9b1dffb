// What the compiler of native code is told. Older frameworks lack these attributes.

using System.Diagnostics.CodeAnalysis;

#pragma warning disable 436

// What is looked up by name is kept (`AddType`), or may be lacking on an older runtime too.
[assembly: UnconditionalSuppressMessage("Trimming", "IL2026", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2055", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2057", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2067", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2070", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2072", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2075", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2077", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2080", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2090", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL2111", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL3000", Scope = "module")]
[assembly: UnconditionalSuppressMessage("Trimming", "IL3050", Scope = "module")]

namespace System.Diagnostics.CodeAnalysis;

[AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
internal sealed class UnconditionalSuppressMessageAttribute(string category, string checkId) : Attribute
{
    public string Category => category;
    public string CheckId => checkId;
    public string? Scope { get; set; }
}

/// <summary>These members of the type that is given are kept, and can be looked up.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class DynamicallyAccessedMembersAttribute(int members) : Attribute
{
    public int Members => members;
}
