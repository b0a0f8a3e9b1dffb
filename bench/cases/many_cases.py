#!/usr/bin/env python3
"""A child with 10,000 benchmarks and nothing in them: what listing and planning cost."""
import json
import os

read, write = (int(fd) for fd in os.environ["TARE_LINK"].removeprefix("fd:").split(","))
requests = os.fdopen(read, "r", encoding="ascii")
replies = os.fdopen(write, "w", encoding="utf-8")


def reply(kind, **members):
    replies.write(json.dumps({"reply": kind, **members}) + "\n")


for request in requests:
    verb = request.split()[0]
    if verb == "hello":
        reply("hello", protocol=1, language="python", front_end="many 1", optimised=None, clock="none",
              clock_resolution_ns=1, unroll=1, capabilities=[])
    elif verb == "list":
        for index in range(10_000):
            reply("benchmark", index=index, group=f"group {index // 100}", name=f"case {index % 100}",
                  parameters=[{"name": "n", "value": str(index)}])
        reply("end", count=10_000)
    else:
        reply("bye")
        replies.flush()
        break
    replies.flush()
