// MD5 against SHA-256 of 10 kB. On processors with instructions for SHA the longer hash is the faster one.
//
//   tare run examples/csharp/hash.cs
//   tare run examples/csharp/hash.cs --runtimes 3.1,8.0       each under both runtimes, with ratios

using System;
using System.Security.Cryptography;
using Tare;

public class Hash
{
    private readonly byte[] data = new byte[10_000];
    private readonly MD5 md5 = MD5.Create();
    private readonly SHA256 sha256 = SHA256.Create();

    public Hash() => new Random(42).NextBytes(data);

    [Benchmark(Baseline = true)]
    public byte[] Md5() => md5.ComputeHash(data);

    [Benchmark]
    public byte[] Sha256() => sha256.ComputeHash(data);
}
