[assembly: Tare.BenchmarkDotNet.UseTare]
