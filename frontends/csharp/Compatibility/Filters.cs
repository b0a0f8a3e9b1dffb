// Filters in code: the command line chooses benchmarks.

using System;
using BenchmarkDotNet.Running;

namespace BenchmarkDotNet.Filters
{
    public interface IFilter
    {
    }

    public class SimpleFilter : IFilter
    {
        public SimpleFilter(Func<BenchmarkCase, bool> predicate)
        {
        }
    }

    public class NameFilter : IFilter
    {
        public NameFilter(Func<string, bool> predicate)
        {
        }
    }

    public class GlobFilter : IFilter
    {
        public GlobFilter(string[] patterns)
        {
        }
    }

    public class AnyCategoriesFilter : IFilter
    {
        public AnyCategoriesFilter(string[] categories)
        {
        }
    }

    public class AllCategoriesFilter : IFilter
    {
        public AllCategoriesFilter(string[] categories)
        {
        }
    }

    public class CategoryFilter : IFilter
    {
        public CategoryFilter(string category)
        {
        }
    }

    public class UnionFilter : IFilter
    {
        public UnionFilter(params IFilter[] filters)
        {
        }
    }

    public class DisjunctionFilter : IFilter
    {
        public DisjunctionFilter(params IFilter[] filters)
        {
        }
    }
}
