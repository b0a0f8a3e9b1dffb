#!/usr/bin/env python3
"""A diagnoser of `tare`: counts page faults and attaches the process's status (docs/guides/diagnosers.md)."""
import json
import sys


def faults(pid):
    """Minor page faults of a process: field 10 of its `stat`, of which the second may hold spaces."""
    with open(f"/proc/{pid}/stat") as stat:
        return int(stat.read().rpartition(")")[2].split()[7])


def reply(kind, **members):
    print(json.dumps({"reply": kind, **members}), flush=True)


values = []
for line in sys.stdin:
    heard = json.loads(line)
    signal = heard["signal"]
    if signal == "started":
        pid = heard["pid"]
    elif signal == "before":
        count = faults(pid)
    elif signal == "after":
        values.append(faults(pid) - count)
        with open(f"/proc/{pid}/status") as file:
            status = file.read()
    if signal == "ended":
        metric = {"name": "faults", "better": "lower", "per": "operation", "values": values}
        text = {"name": "status.txt", "title": "the process at the end", "media_type": "text/plain", "text": status}
        reply("result", metrics=[metric], attachments=[text])
    else:
        reply("ready" if signal == "begin" else "ok")
