"""Opens a page in a Chromium without a window and talks to it over two pipes.

    browser.py CHROMIUM PROFILE PAGE SCRIPT [WIDTH...]

SCRIPT is JavaScript that is run in the page when it has loaded; what its promise gives is printed as JSON, with all that the page
wrote to its console. With widths of the window there is a result for each. Nothing is downloaded, and nothing listens on a port.
"""
import base64
import json
import os
import sys
import subprocess


class Browser:
    def __init__(self, program, profile):
        request, self.write = os.pipe()
        self.read, reply = os.pipe()
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--no-first-run", f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]

        def descriptors():
            # Chromium reads requests from 3 and writes replies to 4.
            a, b = os.dup(request), os.dup(reply)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(words, close_fds=False, preexec_fn=descriptors, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(request)
        os.close(reply)
        self.buffer, self.count, self.events = b"", 0, []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.read, 1 << 16)
            if not part:
                sys.exit("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, params=None):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params or {}}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.message()
            if reply.get("id") == self.count:
                if "error" in reply:
                    sys.exit(f"{method}: {reply['error']}")
                return reply["result"]
            self.events.append(reply)

    def open(self, url):
        self.events = [e for e in self.events if e.get("method") != "Page.loadEventFired"]
        self.call("Page.navigate", {"url": url})
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def run(self, script):
        asked = {"expression": f"(async () => {{ {script} }})()", "awaitPromise": True, "returnByValue": True, "userGesture": True}
        found = self.call("Runtime.evaluate", asked)
        if "exceptionDetails" in found:
            sys.exit(json.dumps(found["exceptionDetails"], indent=1))
        return found["result"].get("value")

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", {"features": scheme})

    def picture(self, path):
        data = self.call("Page.captureScreenshot", {"format": "png"})["data"]
        open(path, "wb").write(base64.b64decode(data))

    def said(self):
        """What the page wrote to its console, and what it asked the network for."""
        said = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled":
                said.append("console: " + " ".join(str(a.get("value")) for a in params["args"]))
            elif method == "Runtime.exceptionThrown":
                said.append("exception: " + json.dumps(params["exceptionDetails"]))
            elif method == "Log.entryAdded":
                said.append("log: " + params["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:", "about:")):
                said.append("request: " + params["request"]["url"])
        return said

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait()


if __name__ == "__main__":
    program, profile, page, script, *widths = sys.argv[1:]
    browser = Browser(program, profile)

    def result():
        browser.open(f"file://{page}")
        return browser.run(script)

    def at(width):
        browser.size(int(width), 800)
        return result()

    print(json.dumps({"result": [at(width) for width in widths] or result(), "said": browser.said()}))
    browser.close()
