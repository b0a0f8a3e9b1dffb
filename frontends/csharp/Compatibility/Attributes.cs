// The attributes of benchmark classes under the names that BenchmarkDotNet gave them, so that such source compiles unchanged. What they
// mean is in the attributes of Tare from which they are derived.

using System;
using System.Runtime.CompilerServices;

namespace BenchmarkDotNet.Attributes
{
    public class BenchmarkAttribute : Tare.BenchmarkAttribute
    {
        public BenchmarkAttribute([CallerLineNumber] int sourceCodeLineNumber = 0, [CallerFilePath] string sourceCodeFile = "")
            : base(sourceCodeLineNumber, sourceCodeFile)
        {
        }
    }

    public class ParamsAttribute : Tare.ParamsAttribute
    {
        public ParamsAttribute()
        {
        }

        public ParamsAttribute(params object[] values)
            : base(values)
        {
        }
    }

    public class ParamsSourceAttribute : Tare.ParamsSourceAttribute
    {
        public ParamsSourceAttribute(string name)
            : base(name)
        {
        }

        public ParamsSourceAttribute(Type type, string name)
            : base(type, name)
        {
        }
    }

    public class ParamsAllValuesAttribute : Tare.ParamsAllValuesAttribute
    {
    }

    public class ArgumentsAttribute : Tare.ArgumentsAttribute
    {
        public ArgumentsAttribute()
        {
        }

        public ArgumentsAttribute(params object[] values)
            : base(values)
        {
        }
    }

    public class ArgumentsSourceAttribute : Tare.ArgumentsSourceAttribute
    {
        public ArgumentsSourceAttribute(string name)
            : base(name)
        {
        }

        public ArgumentsSourceAttribute(Type type, string name)
            : base(type, name)
        {
        }
    }

    public class GlobalSetupAttribute : Tare.GlobalSetupAttribute
    {
    }

    public class GlobalCleanupAttribute : Tare.GlobalCleanupAttribute
    {
    }

    public class IterationSetupAttribute : Tare.IterationSetupAttribute
    {
    }

    public class IterationCleanupAttribute : Tare.IterationCleanupAttribute
    {
    }

    public class BenchmarkCategoryAttribute : Tare.BenchmarkCategoryAttribute
    {
        public BenchmarkCategoryAttribute(params string[] categories)
            : base(categories)
        {
        }
    }

    public class GenericTypeArgumentsAttribute : Tare.GenericTypeArgumentsAttribute
    {
        public GenericTypeArgumentsAttribute(params Type[] genericTypeArguments)
            : base(genericTypeArguments)
        {
        }
    }
}
