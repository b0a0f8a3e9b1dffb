// The two pipes to the host.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tare
{
    internal static class Link
    {
        private const string Variable = "TARE_LINK";
        private const int LongestRequest = 254;

        /// <summary>The host has started this process.</summary>
        internal static bool IsThere => Environment.GetEnvironmentVariable(Variable) != null;

        /// <summary>Answers requests until the host has had enough; never returns.</summary>
        internal static void Serve(IReadOnlyList<Type> types, IReadOnlyList<string> filters)
        {
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
                Native.CloseOnExec(read);
                Native.CloseOnExec(write);
                using (var requests = Open(read, FileAccess.Read))
                using (var replies = Open(write, FileAccess.Write))
                {
                    Answer(new Child(types, filters, line => Reply(replies, line)), requests);
                }
            }
            catch (Exception e) when (e is IOException || e is ArgumentException || e is UnauthorizedAccessException || e is NotSupportedException)
            {
                Console.Error.WriteLine("error: TARE_LINK=" + link + " is of no known form, or not open");
                Native.Exit(2);
            }
            Native.Exit(0);
        }

        /// <summary>A pipe by its descriptor. Mono has handles of its own, and opens it by its path.</summary>
        private static FileStream Open(int descriptor, FileAccess access)
        {
            return Runtime.IsMono
                ? new FileStream("/dev/fd/" + descriptor, FileMode.Open, access, FileShare.ReadWrite, 1)
                : new FileStream(new SafeFileHandle((IntPtr)descriptor, false), access, 1);
        }

        private static void Reply(Stream replies, string line)
        {
            var bytes = Encoding.UTF8.GetBytes(line + "\n");
            try
            {
                replies.Write(bytes, 0, bytes.Length);
                replies.Flush();
            }
            catch (IOException)
            {
                // The host has gone.
                Native.Exit(0);
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

        private static void Answer(Child child, Stream requests)
        {
            var buffer = new byte[4096];
            var line = new byte[LongestRequest];
            int length = 0, count;
            while ((count = requests.Read(buffer, 0, buffer.Length)) > 0)
            {
                for (var i = 0; i < count && !child.IsOver; i++)
                {
                    if (buffer[i] != '\n')
                    {
                        if (length < LongestRequest)
                        {
                            line[length] = buffer[i];
                        }
                        length++;
                        continue;
                    }
                    child.Answer(length > LongestRequest ? null : Encoding.ASCII.GetString(line, 0, length));
                    length = 0;
                }
                if (child.IsOver)
                {
                    Flush();
                    return;
                }
            }
        }
    }
}
