// For `dotnet run -c Release`, which hands over to `tare`.
Tare.BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
