"""Plays the host's side of the Tare protocol against one child, over two pipes."""
import json, os, subprocess


class Child:
    def __init__(self, command, environment=None, **options):
        to_child, self.requests = os.pipe()
        self.replies, from_child = os.pipe()
        env = dict(os.environ, TARE_LINK=f"fd:{to_child},{from_child}", **(environment or {}))
        self.process = subprocess.Popen(command, env=env, pass_fds=(to_child, from_child), stdin=subprocess.DEVNULL,
                                        **options)
        os.close(to_child)
        os.close(from_child)
        self.lines = os.fdopen(self.replies, "rb")

    def send(self, line):
        os.write(self.requests, line.encode("latin-1") + b"\n")

    def receive(self):
        line = self.lines.readline()
        assert line.endswith(b"\n"), f"the child ended: {line!r}, status {self.process.poll()}"
        reply = json.loads(line.decode("utf-8"))
        if reply.get("reply") == "opened":
            # Remove the address of the loop, which differs in each process.
            assert reply.pop("loop_address", 1) > 0, reply
        # Add optional members as empty ones.
        for name in ("rates", "policy", "context", "diagnosers"):
            if reply.get(name) in ({}, []):
                del reply[name]
        return reply

    def ask(self, line):
        self.send(line)
        return self.receive()

    def list(self):
        self.send("list")
        found = []
        while True:
            reply = self.receive()
            if reply["reply"] == "end":
                assert reply["count"] == len(found)
                return found
            if reply["reply"] == "error":
                return reply
            found.append(reply)

    def index(self, name):
        return next(b["index"] for b in self.list() if name in (b["name"], f"{b['group']}/{b['name']}"))

    def end(self):
        if not self.lines.closed:
            os.close(self.requests)
            self.lines.close()
        return self.process.wait(timeout=1200)

    def bye(self):
        assert self.ask("bye") == {"reply": "bye"}
        status = self.process.wait(timeout=1200)
        self.end()
        return status
