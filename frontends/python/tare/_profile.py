"""The diagnoser `profile`: the functions and lines where a body spends its time, and the types of the values they use.

If `py-spy` is installed, it takes the samples, including native code. Otherwise a CPU timer of this process does: its signal is handled at
once by the interpreter's crash handler (`faulthandler`), so time in native code counts for the line that called it.
"""

from __future__ import annotations

import dis
import faulthandler
import linecache
import os
import re
import signal
import subprocess
import sys
import tempfile

from ._helpers import Clocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Iterable, Iterator

    Found = dict[str, Any]
    Frame = tuple[str, str, int]

NAME = "profile"
EVERY_S = 0.002
# With this value, the host takes the samples, of functions of the interpreter and of extensions.
VARIABLE, NATIVE = "TARE_PROFILE", "native"
PY_SPY = "py-spy"
OWN = "tare"
RUNTIME = "[runtime]"
LOOPS = ("<measuring loop of tare>", "<statement>")
HERE = os.path.dirname(os.path.abspath(__file__))
_NATIVE = "time in native code counts for the function that called it, and only the thread of the body is sampled"
# A line of the handler's output, which lists the innermost frame first.
_FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')
# The maximum number of line events to inspect in a pass.
_LINES_MAX = 20_000
# The longest text of a line that is reported.
_TEXT_MAX = 60
_VALUES = ("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME")
_OF_CODE = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME", "LOAD_ATTR", "LOAD_METHOD")


def described() -> list[dict[str, Any]]:
    can = hasattr(signal, "setitimer") and hasattr(faulthandler, "register") and os.environ.get(VARIABLE) != NATIVE
    return [{"name": NAME, "metrics": [], "gives": ["stacks"]}] if can else []


class Timer:
    """Takes samples with a timer while a loop runs."""

    def start(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115
        faulthandler.register(signal.SIGPROF, self.file, all_threads=False)
        # The timer keeps running between loops, because a loop is shorter than the sampling interval.
        signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)

    def run(self, loop: Callable[[], None]) -> None:
        loop()

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.unregister(signal.SIGPROF)

    def found(self, body: str, text: Callable[[Frame], str]) -> Found:
        self.file.seek(0)
        stacks: dict[str, int] = {}
        facts: dict[str, float] = {}
        names = Names()
        for frames in samples(self.file.read().decode("utf-8", "replace")):
            here = [name for file, name, _ in frames if file == _HERE]
            # Leave out samples of Tare's own code between loops.
            if "run" in here and "look" not in here:
                named = [(names.of(frame), frame[0]) for frame in reversed(frames)]
                stack = trimmed(named, body)
                add(stacks, stack, 1)
                file, _, line = frames[0]
                if file not in LOOPS and not os.path.abspath(file).startswith(HERE):
                    fact = f"samples at {os.path.basename(file)}:{line}: {text(frames[0])} in {stack[-1]}"
                    facts[fact] = facts.get(fact, 0) + 1
        self.file.close()
        return {
            "stacks": lines(stacks),
            "facts": facts,
            "findings": [{"text": _NATIVE, "advice": f"`pip install {PY_SPY}` shows both"}],
        }

    def clean(self) -> None:
        pass


def samples(text: str) -> Iterator[list[Frame]]:
    """The frames of each sample (file, function and line), the innermost first."""
    frames: list[Frame] = []
    for line in text.splitlines():
        found = _FRAME.fullmatch(line)
        if found:
            frames.append((found[1], found[3], int(found[2])))
        elif frames:
            yield frames
            frames = []
    if frames:
        yield frames


class Names:
    """The qualified names of functions; the handler reports only their last part."""

    def __init__(self) -> None:
        self.codes: dict[str, list[CodeType]] = {}

    def of(self, frame: Frame) -> str:
        file, name, line = frame
        if file not in self.codes:
            self.codes[file] = codes_of(file)
        around = [code for code in self.codes[file] if code.co_name == name and code.co_firstlineno <= line]
        return name_of(max(around, key=lambda code: code.co_firstlineno)) if around else name


def codes_of(file: str) -> list[CodeType]:
    try:
        with open(file, "rb") as source:
            found = [compile(source.read(), file, "exec", dont_inherit=True)]
    except (OSError, SyntaxError, ValueError):
        return []
    for code in found:
        found += [one for one in code.co_consts if hasattr(one, "co_code")]
    return found


class Values:
    """The types of the values that lines read, for values with names."""

    def __init__(self) -> None:
        self.types: dict[tuple[str, str], set[str]] = {}
        self.names: dict[CodeType, dict[int, dict[str, None]]] = {}
        self.left = _LINES_MAX

    def look(self, loop: Callable[[], None]) -> None:
        before = sys.gettrace()
        sys.settrace(self.called)
        try:
            loop()
        finally:
            sys.settrace(before)

    def called(self, frame: FrameType, event: str, _: object) -> Any:
        code = frame.f_code
        is_own = os.path.abspath(code.co_filename).startswith(HERE)
        return None if is_own or code.co_filename in LOOPS else self.line

    def line(self, frame: FrameType, event: str, _: object) -> Any:
        self.left -= 1
        if self.left <= 0:
            sys.settrace(None)
            return None
        code = frame.f_code
        if code not in self.names:
            self.names[code] = loaded(code)
        for name in self.names[code].get(frame.f_lineno, ()) if event == "line" else ():
            value = frame.f_locals.get(name, frame.f_globals.get(name))
            if not callable(value) and not hasattr(value, "__loader__") and value is not None:
                self.types.setdefault((name, name_of(code)), set()).add(type(value).__qualname__)
        return self.line

    def text(self, frame: Frame) -> str:
        """The source of a line, or the names in its code if it was generated."""
        file, name, line = frame
        source = linecache.getline(file, line).strip()[:_TEXT_MAX]
        codes = [code for code in self.names if (code.co_filename, code.co_name) == (file, name) and not source]
        return source or " ".join(name for code in codes for name in loaded(code, _OF_CODE).get(line, ()))

    def facts(self) -> dict[str, float]:
        return {
            f"values of {name} in {where}: {' or '.join(sorted(types))}": 1
            for (name, where), types in self.types.items()
        }


def loaded(code: CodeType, opcodes: tuple[str, ...] = _VALUES) -> dict[int, dict[str, None]]:
    """The names that each line of a function reads, in order."""
    found: dict[int, dict[str, None]] = {}
    line = code.co_firstlineno
    starts = dict(dis.findlinestarts(code))
    for one in dis.get_instructions(code):
        line = starts.get(one.offset) or line
        if one.opname.startswith(opcodes):
            names = one.argval if isinstance(one.argval, tuple) else (one.argval,)
            found.setdefault(line, {}).update(dict.fromkeys(name for name in names if name.isidentifier()))
    return found


_HERE = Timer.run.__code__.co_filename


class PySpy:
    """Takes samples with `py-spy`, from outside."""

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
        with open(os.path.join(self.folder, "log"), "wb") as log:
            self.running = subprocess.Popen([*self.command, *flags], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        # It prints a message when it begins.
        until = Clocks.monotonic() + 10
        while Clocks.monotonic() < until and self.running.poll() is None and b"Sampling" not in self.log():
            Clocks.sleep(0.02)
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

    def found(self, body: str, _: object) -> Found:
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
    """The stacks from its raw format: `function (file:line);function (file:line) 12`."""
    stacks: dict[str, int] = {}
    for line in text.splitlines():
        words, _, count = line.rpartition(" ")
        if not count.isdigit():
            continue
        frames: list[tuple[str, str]] = []
        for word in words.split(";"):
            name, _, rest = word.partition(" (")
            file = re.sub(r":\d+$", "", rest.rstrip(")"))
            # An address in a library without symbols is shown as the library.
            frame = (f"[{file}]" if name.startswith("0x") else name, file)
            frames += [frame] if frames[-1:] != [frame] else []
        add(stacks, trimmed(frames, body), int(count))
    return stacks


def allow_tracing() -> None:
    """Lets child processes trace this one, on systems where only parents may."""
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
    """A stack from the body on. Frames are names with files, the outermost first."""
    loops = [at for at, (_, file) in enumerate(frames) if file in LOOPS]
    if loops:
        # A body without its own frame is native code or a statement.
        return [name for name, _ in frames[loops[-1] + 1 :]] or [body]
    own = [at for at, (_, file) in enumerate(frames) if os.path.abspath(file).startswith(HERE)]
    if own:
        # A function of the user that runs its own loop.
        return [name for name, _ in frames[own[-1] + 1 :]] or [OWN]
    return [RUNTIME, *(name for name, _ in frames)]


def add(stacks: dict[str, int], frames: Iterable[str], count: int) -> None:
    stack = ";".join(name.replace(";", ":") for name in frames)
    stacks[stack] = stacks.get(stack, 0) + count


def lines(stacks: dict[str, int]) -> list[str]:
    return [f"{stack} {count}" for stack, count in sorted(stacks.items())]


class Profile:
    """Takes samples in the best way available."""

    def __init__(self, body: str, iterations: int) -> None:
        self.body = body
        self.failed = ""
        self.way: Any = Timer()
        self.values = Values()
        # A single iteration is used for samples, not for types.
        self.looks = iterations > 1

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
                self.failed = (
                    f"`{PY_SPY}` cannot look into this process ({why}); a timer in it took the samples instead"
                )
        self.way.start()

    def run(self, loop: Callable[[], None]) -> None:
        if self.looks:
            self.looks = False
            return self.values.look(loop)
        self.way.run(loop)

    def found(self) -> Found:
        self.way.stop()
        found: Found = self.way.found(self.body, self.values.text)
        found["facts"] = {**found.get("facts", {}), **self.values.facts()}
        if self.failed:
            found.setdefault("findings", []).insert(0, {"text": self.failed})
        return found

    def end(self) -> None:
        self.way.stop()
        self.way.clean()
