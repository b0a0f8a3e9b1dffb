// Parameters of the class (all combinations), and arguments of a method (row by row). `tare run parameters.cs --param Digits=12` tries
// another value without changing the code.

using System.Collections.Generic;
using System.Globalization;
using Tare;

public enum Form
{
    Decimal,
    Hexadecimal,
}

public class Format
{
    [Params(3, 9)]
    public int Digits;

    [ParamsAllValues]
    public Form Form;

    [Benchmark]
    public string Number() => Digits.ToString(Form == Form.Decimal ? "D9" : "X9", CultureInfo.InvariantCulture);
}

public class Power
{
    public static IEnumerable<object[]> Rows()
    {
        yield return new object[] { 2.0, 10 };
        yield return new object[] { 10.0, 3 };
    }

    [Benchmark]
    [ArgumentsSource(nameof(Rows))]
    public double ByMultiplying(double number, int exponent)
    {
        var result = 1.0;
        for (var i = 0; i < exponent; i++)
        {
            result *= number;
        }
        return result;
    }

    [Benchmark(Baseline = true)]
    [Arguments(2.0, 10)]
    [Arguments(10.0, 3)]
    public double Library(double number, int exponent) => System.Math.Pow(number, exponent);
}
