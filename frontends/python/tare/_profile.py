"""The diagnoser `profile`: which functions the time of a body is spent in.

`py-spy` takes the samples where it is installed, of native code too. Otherwise a timer of the processor time of this process does, which the
interpreter answers between two instructions: time in native code counts for the function that has called it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Iterable

    Found = dict[str, Any]

NAME = "profile"
EVERY_S = 0.002
# Set to this value, the host takes the samples: of functions of the interpreter and of extensions.
VARIABLE, NATIVE = "TARE_PROFILE", "native"
PY_SPY = "py-spy"
OWN = "tare"
RUNTIME = "[runtime]"
LOOPS = ("<measuring loop of tare>", "<statement>")
HERE = os.path.dirname(os.path.abspath(__file__))
_NATIVE = "time in native code counts for the function that called it, and only the main thread is sampled"


def described() -> list[dict[str, Any]]:
    can = hasattr(signal, "setitimer") and os.environ.get(VARIABLE) != NATIVE
    return [{"name": NAME, "metrics": [], "gives": ["stacks"]}] if can else []


class Timer:
    """Samples by a timer, while a loop runs."""

    def __init__(self) -> None:
        self.counts: dict[tuple[CodeType, ...], int] = {}
        self.before: Any = None
        self.runs = False

    def start(self) -> None:
        self.before = signal.signal(signal.SIGPROF, self.take)
        # It goes on between loops, which are shorter than the time between two samples.
        signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)

    def run(self, loop: Callable[[], None]) -> None:
        self.runs = True
        try:
            loop()
        finally:
            self.runs = False

    def take(self, _: int, frame: FrameType | None) -> None:
        if not self.runs:
            return
        codes = []
        while frame is not None:
            codes.append(frame.f_code)
            frame = frame.f_back
        stack = tuple(codes)
        self.counts[stack] = self.counts.get(stack, 0) + 1

    def stop(self) -> None:
        if self.before is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, self.before)
            self.before = None

    def found(self, body: str) -> Found:
        stacks: dict[str, int] = {}
        for codes, count in self.counts.items():
            frames = [(name_of(code), code.co_filename) for code in reversed(codes) if code is not _TAKE]
            add(stacks, trimmed(frames, body), count)
        return {"stacks": lines(stacks), "findings": [{"text": _NATIVE, "advice": f"`pip install {PY_SPY}` shows both"}]}


_TAKE = Timer.take.__code__


class PySpy:
    """Samples by `py-spy`, from outside."""

    def __init__(self, program: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="tare-py-spy-")
        self.file = os.path.join(self.folder, "stacks")
        self.command = [program, "record", "--pid", str(os.getpid()), "--format", "raw", "--output", self.file]
        self.command += ["--rate", "500", "--duration", "3600", "--function"]
        self.running: subprocess.Popen[bytes] | None = None
        self.said = b""

    def start(self) -> None:
        allow_tracing()
        flags = ["--native"] if sys.platform == "linux" else []
        log = open(os.path.join(self.folder, "log"), "wb")
        with log:
            self.running = subprocess.Popen([*self.command, *flags], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        # It says when it begins.
        until = time.monotonic() + 10
        while time.monotonic() < until and self.running.poll() is None and b"Sampling" not in self.log():
            time.sleep(0.02)
        if self.running.poll() is not None:
            raise OSError(self.why())

    def log(self) -> bytes:
        with open(os.path.join(self.folder, "log"), "rb") as file:
            return file.read()

    def why(self) -> str:
        words = [line for line in self.log().decode("utf-8", "replace").splitlines() if line.strip()]
        return words[0].strip() if words else "it ended"

    def run(self, loop: Callable[[], None]) -> None:
        loop()

    def stop(self) -> None:
        if self.running is not None and self.running.poll() is None:
            self.running.send_signal(signal.SIGINT)
            try:
                self.running.wait(20)
            except subprocess.TimeoutExpired:
                self.running.kill()
                self.running.wait()

    def found(self, body: str) -> Found:
        try:
            with open(self.file, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            raise OSError(self.why()) from None
        return {"stacks": lines(of_py_spy(text, body))}

    def clean(self) -> None:
        import shutil

        shutil.rmtree(self.folder, ignore_errors=True)


def of_py_spy(text: str, body: str) -> dict[str, int]:
    """The stacks of its raw form: `function (file:line);function (file:line) 12`."""
    stacks: dict[str, int] = {}
    for line in text.splitlines():
        words, _, count = line.rpartition(" ")
        if not count.isdigit():
            continue
        frames = []
        for word in words.split(";"):
            name, _, rest = word.partition(" (")
            file = re.sub(r":\d+$", "", rest.rstrip(")"))
            # A place in a library without names is that library.
            frame = (f"[{file}]" if name.startswith("0x") else name, file)
            frames += [frame] if frames[-1:] != [frame] else []
        add(stacks, trimmed(frames, body), int(count))
    return stacks


def allow_tracing() -> None:
    """Lets processes that this one starts look into it, where only parents may."""
    if sys.platform != "linux":
        return
    import ctypes

    any_process, set_ptracer = ctypes.c_ulong(-1), 0x59616D61
    try:
        ctypes.CDLL(None).prctl(set_ptracer, any_process, 0, 0, 0)
    except (OSError, AttributeError):
        pass


def name_of(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name))


def trimmed(frames: list[tuple[str, str]], body: str) -> list[str]:
    """A stack from the body on; its frames are names with their files, the outermost first."""
    loops = [at for at, (_, file) in enumerate(frames) if file in LOOPS]
    if loops:
        # A body without a frame of its own is native code, or a statement.
        return [name for name, _ in frames[loops[-1] + 1 :]] or [body]
    own = [at for at, (_, file) in enumerate(frames) if os.path.abspath(file).startswith(HERE)]
    if own:
        # A function of the user's that runs its loop itself.
        return [name for name, _ in frames[own[-1] + 1 :]] or [OWN]
    return [RUNTIME, *(name for name, _ in frames)]


def add(stacks: dict[str, int], frames: Iterable[str], count: int) -> None:
    stack = ";".join(name.replace(";", ":") for name in frames)
    stacks[stack] = stacks.get(stack, 0) + count


def lines(stacks: dict[str, int]) -> list[str]:
    return [f"{stack} {count}" for stack, count in sorted(stacks.items())]


class Profile:
    """Samples by the best way that there is here."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.failed = ""
        self.way: Any = Timer()

    def start(self) -> None:
        import shutil

        program = shutil.which(PY_SPY)
        if program:
            spy = PySpy(program)
            try:
                spy.start()
                self.way = spy
                return
            except OSError as why:
                spy.clean()
                self.failed = f"`{PY_SPY}` cannot look into this process ({why}); a timer in it took the samples instead"
        self.way.start()

    def run(self, loop: Callable[[], None]) -> None:
        self.way.run(loop)

    def found(self) -> Found:
        self.way.stop()
        found: Found = self.way.found(self.body)
        if self.failed:
            found.setdefault("findings", []).insert(0, {"text": self.failed})
        return found

    def end(self) -> None:
        self.way.stop()
        if isinstance(self.way, PySpy):
            self.way.clean()
