// Filters in code. Those that go by names and categories choose benchmarks; what asks for a case of BenchmarkDotNet's own has none to ask.

using System;
using System.Linq;
using BenchmarkDotNet.Running;
using Tare;

namespace BenchmarkDotNet.Filters
{
    public interface IFilter
    {
    }

    /// <summary>A filter that has its effect.</summary>
    public abstract class FollowedFilter : IFilter
    {
        internal abstract bool Wants(Candidate candidate);
    }

    public class SimpleFilter : IFilter
    {
        public SimpleFilter(Func<BenchmarkCase, bool> predicate)
        {
        }
    }

    public class NameFilter : FollowedFilter
    {
        private readonly Func<string, bool> predicate;

        public NameFilter(Func<string, bool> predicate) => this.predicate = predicate;

        internal override bool Wants(Candidate candidate) => predicate(candidate.Method.Name);
    }

    public class GlobFilter : FollowedFilter
    {
        private readonly string[] patterns;

        public GlobFilter(string[] patterns) => this.patterns = patterns;

        internal override bool Wants(Candidate candidate) => patterns.Any(candidate.IsNamed);
    }

    public class AttributesFilter : FollowedFilter
    {
        private const string End = "Attribute";
        private readonly string[] names;

        public AttributesFilter(string[] attributes) => names = attributes;

        internal override bool Wants(Candidate candidate)
        {
            var all = candidate.Method.GetCustomAttributes(true).Concat(candidate.Method.ReflectedType.GetCustomAttributes(true));
            return all.Select(a => a.GetType().Name).Any(name => names.Any(n => Is(name, n) || Is(name, n + End)));
        }

        private static bool Is(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);
    }

    public class AnyCategoriesFilter : FollowedFilter
    {
        private readonly string[] categories;

        public AnyCategoriesFilter(string[] categories) => this.categories = categories;

        internal override bool Wants(Candidate candidate) => categories.Any(c => candidate.Categories.Contains(c, StringComparer.OrdinalIgnoreCase));
    }

    public class AllCategoriesFilter : FollowedFilter
    {
        private readonly string[] categories;

        public AllCategoriesFilter(string[] categories) => this.categories = categories;

        internal override bool Wants(Candidate candidate) => categories.All(c => candidate.Categories.Contains(c, StringComparer.OrdinalIgnoreCase));
    }

    public class CategoryFilter : AnyCategoriesFilter
    {
        public CategoryFilter(string category) : base(new[] { category }) { }
    }

    public class UnionFilter : FollowedFilter
    {
        private readonly IFilter[] filters;

        public UnionFilter(params IFilter[] filters) => this.filters = filters;

        internal override bool Wants(Candidate candidate) => filters.All(f => Followed.Filter(f)(candidate));
    }

    public class DisjunctionFilter : FollowedFilter
    {
        private readonly IFilter[] filters;

        public DisjunctionFilter(params IFilter[] filters) => this.filters = filters;

        internal override bool Wants(Candidate candidate) => filters.Any(f => Followed.Filter(f)(candidate));
    }

    internal static class Followed
    {
        /// <summary>What a filter is here; one that cannot be followed is named and wants everything.</summary>
        internal static Func<Candidate, bool> Filter(object filter)
        {
            if (filter is FollowedFilter known)
            {
                return known.Wants;
            }
            Tare.Given.WithoutEffect(filter.GetType().Name, "there is no case of BenchmarkDotNet that it could ask; `--filter` and filters by name or category choose benchmarks");
            return candidate => true;
        }
    }
}
