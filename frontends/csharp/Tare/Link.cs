// The two pipes to the host.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tare
{
    internal static class Link
    {
        private const string Variable = "TARE_LINK";
        private static Pipe requests;
        private static Pipe replies;

        /// <summary>The host has started this process, or its build has.</summary>
        internal static bool IsThere => requests != null || Ahead.IsWanted || Environment.GetEnvironmentVariable(Variable) != null;

        /// <summary>Answers requests until the host has had enough; never returns.</summary>
        internal static void Serve(ICatalog catalog)
        {
            if (Ahead.IsWanted)
            {
                Ahead.Write(catalog);
            }
            Take();
            // What the user's code throws is nothing of the link's: it is answered, or ends the process by its own name.
            Answer(new Child(catalog, replies.Send), requests);
            Native.Exit(0);
        }

        /// <summary>Opens the pipes, so that programs which this one starts do not have them.</summary>
        internal static void Take()
        {
            if (requests != null || Ahead.IsWanted)
            {
                return;
            }
            var link = Environment.GetEnvironmentVariable(Variable);
            Environment.SetEnvironmentVariable(Variable, null);
            try
            {
                var parts = link.Split(':');
                var descriptors = parts.Length == 2 && parts[0] == "fd" ? parts[1].Split(',') : new string[0];
                if (descriptors.Length != 2 || !int.TryParse(descriptors[0], out var read) || !int.TryParse(descriptors[1], out var write))
                {
                    throw new IOException("no known form");
                }
                requests = new Pipe(read, FileAccess.Read);
                replies = new Pipe(write, FileAccess.Write);
            }
            catch (Exception e) when (e is IOException || e is ArgumentException || e is UnauthorizedAccessException || e is NotSupportedException)
            {
                Console.Error.WriteLine("error: TARE_LINK=" + link + " has an unknown form, or is not open");
                Native.Exit(2);
            }
        }

        /// <summary>What the user's code wrote to a writer of its own. Nobody has written where there is no writer, and making one takes longer than the rest of the end.</summary>
        private static void Flush()
        {
            var writer = typeof(Console).GetField("s_out", BindingFlags.NonPublic | BindingFlags.Static);
            if (writer == null || writer.GetValue(null) != null)
            {
                Console.Out.Flush();
            }
        }

        private static void Answer(Child child, Pipe requests)
        {
            var buffer = new byte[4096];
            var line = new char[256];
            int length = 0, count;
            while ((count = requests.Read(buffer)) > 0)
            {
                for (var i = 0; i < count && !child.IsOver; i++)
                {
                    if (buffer[i] != '\n')
                    {
                        line[length++] = (char)buffer[i];
                        continue;
                    }
                    child.Answer(new string(line, 0, length));
                    length = 0;
                }
                if (child.IsOver)
                {
                    Flush();
                    return;
                }
            }
        }

        /// <summary>
        /// One end of a pipe. The C library is called as it is, where there is one: the streams of the runtime are a hundred methods that it
        /// would compile again, beside the first bodies.
        /// </summary>
        private sealed class Pipe
        {
            private readonly int descriptor;
            private readonly FileStream stream;
            private readonly Action<byte[], int> write;

            internal Pipe(int descriptor, FileAccess access)
            {
                this.descriptor = descriptor;
                write = Write;
                if (!Native.HasPipes)
                {
                    stream = new FileStream(new SafeFileHandle((IntPtr)descriptor, false), access, 1);
                }
                else if (!Native.CloseOnExec(descriptor))
                {
                    throw new IOException("not open");
                }
            }

            /// <summary>What is there; 0 at its end.</summary>
            [MethodImpl(Clock.Optimised)]
            internal int Read(byte[] buffer)
            {
                var count = stream == null ? Native.Read(descriptor, buffer) : stream.Read(buffer, 0, buffer.Length);
                return count >= 0 ? count : throw new IOException("not open for reading");
            }

            [MethodImpl(Clock.Optimised)]
            internal void Send(Json reply)
            {
                reply.Send(write);
            }

            /// <summary>All of it.</summary>
            [MethodImpl(Clock.Optimised)]
            private void Write(byte[] bytes, int count)
            {
                if (stream == null)
                {
                    if (!Native.Write(descriptor, bytes, count))
                    {
                        // The host has gone.
                        Native.Exit(0);
                    }
                    return;
                }
                try
                {
                    stream.Write(bytes, 0, count);
                    stream.Flush();
                }
                catch (IOException)
                {
                    Native.Exit(0);
                }
            }
        }
    }
}
