// What only the system knows: the CPU time and the switches of the measuring thread. Where it does not answer, the child has fewer columns.

using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Tare;

internal static class Native
{
    private const int ThreadCpuLinux = 3;
    private const int ProcessCpuLinux = 2;
    private const int ThreadCpuMac = 16;
    private const int ProcessCpuMac = 12;
    private const int RusageThread = 1;
    private const int Interrupted = 4;

    // As Linux has it on every processor that .NET runs on.
    private const int ReadOnlyCloseOnExec = 0x80000;

    private static readonly bool IsLinux = RuntimeInformation.IsOSPlatform(OSPlatform.Linux);
    private static readonly bool IsMac = RuntimeInformation.IsOSPlatform(OSPlatform.OSX);
    private static readonly int ThreadCpu = IsLinux ? ThreadCpuLinux : ThreadCpuMac;
    private static readonly int ProcessCpu = IsLinux ? ProcessCpuLinux : ProcessCpuMac;

    // Larger than any system's, of which the last two numbers are the switches.
    private static readonly long[] Usage = new long[32];

    /// <summary>CPU times can be had.</summary>
    internal static readonly bool HasCpu = (IsLinux || IsMac) && Tried(() => clock_gettime(ThreadCpu, out _) == 0);

    /// <summary>Switches of one thread can be had.</summary>
    internal static readonly bool HasSwitches = IsLinux && Tried(() => getrusage(RusageThread, Usage) == 0);

    /// <summary>Files of the system can be read without the runtime.</summary>
    internal static readonly bool HasFiles = IsLinux && Tried(() => close(-1) < 0);

    [MethodImpl(Clock.Optimised)]
    internal static long ThreadCpuNs()
    {
        clock_gettime(ThreadCpu, out var time);
        return time.Ns;
    }

    [MethodImpl(Clock.Optimised)]
    internal static long ProcessCpuNs()
    {
        clock_gettime(ProcessCpu, out var time);
        return time.Ns;
    }

    /// <summary>Switches of this thread so far: because it waited, and because another was to run.</summary>
    [MethodImpl(Clock.Optimised)]
    internal static void Switches(out long waits, out long preempted)
    {
        getrusage(RusageThread, Usage);
        waits = Usage[16];
        preempted = Usage[17];
    }

    /// <summary>Bytes that `malloc` has given out and that were not freed; null where the C library does not say.</summary>
    internal static long? Allocated()
    {
        long bytes = 0;
        var isKnown = IsLinux && (Tried(() => (bytes = mallinfo2().Used) >= 0) || Tried(() => (bytes = mallinfo().Used) >= 0));
        return isKnown ? bytes : null;
    }

    /// <summary>Processes that the user's code starts do not get the descriptor. False: it is not open.</summary>
    internal static bool CloseOnExec(int descriptor)
    {
        const int SetFlags = 2, CloseOnExecFlag = 1;
        return Tried(() => fcntl(descriptor, SetFlags, CloseOnExecFlag) == 0);
    }

    /// <summary>What a pipe has, as much as fits; 0 at its end, -1 where it cannot be read.</summary>
    [MethodImpl(Clock.Optimised)]
    internal static int Read(int descriptor, byte[] buffer)
    {
        long count;
        do
        {
            count = (long)read(descriptor, buffer, (IntPtr)buffer.Length);
        }
        while (count < 0 && Marshal.GetLastWin32Error() == Interrupted);
        return (int)count;
    }

    /// <summary>The beginning of a file, as much as fits, by its path with a 0 at the end; -1 where it cannot be read.</summary>
    [MethodImpl(Clock.Optimised)]
    internal static int ReadFile(byte[] path, byte[] buffer)
    {
        var descriptor = open(path, ReadOnlyCloseOnExec);
        if (descriptor < 0)
        {
            return -1;
        }
        var count = Read(descriptor, buffer);
        close(descriptor);
        return count;
    }

    /// <summary>Writes all of it; false if the reader has gone.</summary>
    [MethodImpl(Clock.Optimised)]
    internal static unsafe bool Write(int descriptor, byte[] bytes, int count)
    {
        fixed (byte* first = bytes)
        {
            for (var done = 0; done < count;)
            {
                var written = (long)write(descriptor, first + done, (IntPtr)(count - done));
                if (written < 0 && Marshal.GetLastWin32Error() != Interrupted)
                {
                    return false;
                }
                done += (int)Math.Max(0, written);
            }
        }
        return true;
    }

    /// <summary>Creates a folder that only this user can look into, where the system has such.</summary>
    internal static void CreatePrivateFolder(string path)
    {
        const uint OfUser = 0x1C0;
        if (!Tried(() => mkdir(Encoding.UTF8.GetBytes($"{path}\0"), OfUser) == 0))
        {
            Directory.CreateDirectory(path);
        }
    }

    /// <summary>Ends the process at once; nothing that was registered for its end can block it.</summary>
    internal static void Exit(int status)
    {
        Tried(() =>
        {
            _exit(status);
            return true;
        });
        Environment.Exit(status);
    }

    private static bool Tried(Func<bool> call)
    {
        try
        {
            return call();
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            return false;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Timespec
    {
        private readonly IntPtr seconds;
        private readonly IntPtr nanoseconds;

        internal long Ns => ((long)seconds * 1_000_000_000L) + (long)nanoseconds;
    }

#pragma warning disable CS0169, CS0649 // The C library fills them.
    /// <summary>Of glibc 2.33 and later.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Heap
    {
        private readonly UIntPtr arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;

        internal long Used => (long)hblkhd + (long)uordblks;
    }

    /// <summary>Of older ones: right below 4 GB.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct SmallHeap
    {
        private readonly uint arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;

        internal long Used => (long)hblkhd + uordblks;
    }
#pragma warning restore CS0169, CS0649

    [DllImport("libc", SetLastError = true)]
    private static extern int mkdir(byte[] path, uint mode);

    [DllImport("libc")]
    private static extern Heap mallinfo2();

    [DllImport("libc")]
    private static extern SmallHeap mallinfo();

    [DllImport("libc")]
    private static extern int clock_gettime(int clock, out Timespec time);

    [DllImport("libc")]
    private static extern int getrusage(int who, long[] usage);

    [DllImport("libc", SetLastError = true)]
    private static extern IntPtr read(int descriptor, byte[] buffer, IntPtr count);

    [DllImport("libc", SetLastError = true)]
    private static extern unsafe IntPtr write(int descriptor, byte* bytes, IntPtr count);

    [DllImport("libc")]
    private static extern int open(byte[] path, int flags);

    [DllImport("libc")]
    private static extern int close(int descriptor);

    [DllImport("libc")]
    private static extern int fcntl(int descriptor, int command, int argument);

    [DllImport("libc")]
    private static extern void _exit(int status);
}
