"""The child's side of the protocol (spec/protocol.md; R1, R2, ... are its rules): answers requests one by one."""

from __future__ import annotations

import inspect
import itertools
import re
import sys
from gc import collect  # and not `gc.collect`: the user's code may replace names of modules
from json import dumps, loads
from os import _exit

from . import _counters as counters
from . import _memory as memory
from ._declare import CONTEXT, METRICS, Declared, Value, called_with
from ._diagnose import Observed, described, diagnose
from ._helpers import OWN, BenchmarkError, remove_own_folder
from ._loop import PROBE_STEPS, ROLLED_UNROLL, UNROLL, WIDTH_STEPS, probe_ns
from ._opened import Opened
from ._refused import RequestError, run, thrown_in
from ._texts import digest_of, text_of
from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Callable, Dict, Tuple

    Case = Tuple[Declared, Dict[str, Value]]


class Child:
    def __init__(
        self,
        requests: BinaryIO,
        replies: BinaryIO,
        benchmarks: list[Declared],
        stranger: Callable[[], str] = str,
    ) -> None:
        self.requests, self.replies = requests, replies
        self.benchmarks = benchmarks
        self.stranger = stranger
        self.modules = 0  # the number of loaded modules at the last check for strangers
        self.opened: Opened | None = None
        self.options: Any = None
        self.given: dict[str, list[str]] = {}
        self.ended: str | None = None  # the request that ended the open benchmark: `close` or `bye`
        self.blocks: list[Any] = []

    def reply(self, name: str, /, **members: Any) -> None:
        line = dumps(dict(members, reply=name), ensure_ascii=False)
        try:
            self.replies.write(line.encode("utf-8", "replace") + b"\n")
            self.replies.flush()
        except OSError:
            _exit(0)  # R4

    def serve(self) -> None:
        """Answers until the link ends, or the open benchmark is closed."""
        is_nested = self.opened is not None
        for raw in iter(self.requests.readline, b""):
            self.answer(raw.decode("ascii", "replace").rstrip("\n"))
            if is_nested and self.ended:
                return
        _exit(0)  # R4: at once, without any clean-up

    def answer(self, line: str) -> None:
        verb, *arguments = line.split(" ")
        verbs = OPENED if self.opened else READY
        if verb not in verbs:  # R9
            print(f"error: tare cannot answer `{line}` here", file=sys.stderr, flush=True)
            _exit(2)
        try:
            verbs[verb](self, *arguments)
        except RequestError as refused:
            self.reply("error", **refused.members)

    def hello(self, version: str, *words: str) -> None:
        if int(version) != 1:
            raise RequestError("version", "this child speaks version 1", versions=[1])
        collecting = [{"name": name, "better": "lower"} for name in counters.COLLECTIONS]
        debugger = {"debugger": True} if counters.is_traced() else {}
        self.reply(
            "hello",
            protocol=1,
            language="python",
            front_end="tare-python " + __version__,
            optimised=None,
            runtime=runtime(),
            clock="perf_counter",
            clock_resolution_ns=counters.resolution_ns(),
            unroll=UNROLL,
            rolled_unroll=ROLLED_UNROLL,
            calls_body=True,
            compiles_late=counters.COMPILES_LATE,
            collects=True,
            probe_steps=PROBE_STEPS,
            width_additions=WIDTH_STEPS,
            width_per_process=True,
            metrics=[*collecting, *(metric.described() for metric in METRICS)],
            context=[{"name": name, "value": value} for name, value in CONTEXT.items()],
            diagnosers=described(),
            capabilities=[
                "cpu",
                "process-cpu",
                "probe",
                "windows",
                "rolled",
                "collect",
                "parameters",
                "diagnose",
                *counters.SWITCHES,
            ],
            **debugger,
        )

    def list_all(self) -> None:
        cases = self.cases()
        known = set()
        for index, (declared, row) in enumerate(cases):
            line = line_of(declared, row)
            key = key_of(declared, row)
            if key in known and "invalid" not in line:
                line["invalid"] = "`{}` is declared twice: give one of them another `name`".format(
                    "/".join(filter(None, (declared.group, declared.name)))
                )
            known.add(key)
            self.reply("benchmark", index=index, key=key, **line)
        notes = [
            note for declared in self.benchmarks for note in (*declared.notes, *getattr(declared.form, "notes", []))
        ]
        self.reply("end", count=len(cases), notes=list(dict.fromkeys(notes)))

    def cases(self) -> list[Case]:
        found: list[Case] = []
        for declared in self.benchmarks:
            texts = set()
            for row in declared.parameters():
                choices = [
                    given_values(row[name], self.given[name]) if name in self.given else [row[name]] for name in row
                ]
                for chosen in itertools.product(*choices):
                    text = tuple(value.text for value in chosen)
                    if text not in texts or not self.given:  # several declared values may have become the same
                        found.append((declared, dict(zip(row, chosen))))
                    texts.add(text)
        return found

    def set_values(self, name: str, *words: str) -> None:
        name, texts = unquoted(name), [unquoted(word) for word in words]
        rows = [(declared, row[name]) for declared in self.benchmarks for row in declared.parameters() if name in row]
        for _, value in rows:
            others = [row.text for _, row in rows]
            for text in texts:
                check_value(name, value, text, others)
        if rows:
            self.given[name] = list(dict.fromkeys(texts))
        self.reply("set", benchmarks=len({id(declared) for declared, _ in rows}))

    def case(self, index: int, key: str) -> Case:
        """The benchmark with this key. Another process may have another order: that of a set, or of a plugin of pytest."""
        cases = self.cases()
        for case in [*cases[index : index + 1], *cases]:
            if not key or key_of(*case) == key:
                return case
        raise RequestError(
            "exception", "this process does not declare it: declare the same ones each time", step="set-up"
        )

    def open(self, index: str, seed: str, key: str = "") -> None:
        declared, row = self.case(int(index), key)
        self.scatter(int(seed))
        values = {name: value.value for name, value in row.items()}
        self.options, self.ended = declared.options, None
        try:
            run("set-up", declared.form.run, values, self.use)
        except RequestError as refused:
            if self.ended is None:
                self.opened = None
                raise
            failed: dict[str, Any] = dict(refused.members, step="clean-up")
        else:
            failed = {}
            if self.ended is None:
                raise RequestError("exception", "it ended without a body to measure", step="set-up")
        self.blocks.clear()
        if self.ended == "bye":
            if failed:
                print("error in clean-up:", failed["message"], file=sys.stderr)
            self.end()
        if failed:
            raise RequestError(failed.pop("kind"), failed.pop("message"), **failed)
        self.reply("closed")

    def use(self, opened: Opened) -> None:
        """Answers requests while the benchmark is open, until it is closed."""
        if self.ended is not None:
            raise RuntimeError("it has more than one body to measure")
        self.opened = opened
        members: dict[str, Any] = {}
        if opened.operations is not None:
            members["operations"] = opened.operations
        if opened.rates is not None:
            members["rates"] = opened.rates
        try:
            if opened.make_input and not self.options.get("cold_start"):
                members["input_bytes"] = memory.size_of(run("set-up", opened.make_input))
            self.reply("opened", **members)
            self.serve()
        finally:
            self.opened = None

    def scatter(self, seed: int) -> None:
        """Moves the allocations of the set-up, and leaves holes of random sizes in the heap."""
        if seed == 0:
            return

        def draw(below: int) -> int:
            nonlocal seed
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            return (seed >> 33) % below

        self.blocks = [bytearray(draw(4096))]
        holes = [bytearray(1024 + draw(1 << 11 + draw(11))) for _ in range(16)]
        self.blocks += holes[::2]
        self.blocks += [[None] * draw(60) for _ in range(64)]

    def refuse_strangers(self) -> None:
        """Checks again if modules were loaded, because a body may import modules when it is called."""
        if len(sys.modules) != self.modules:
            self.modules = len(sys.modules)
            stranger = self.stranger()
            if stranger:
                raise RequestError("exception", stranger, step="body")

    def step(self, name: str) -> None:
        assert self.opened is not None
        function = self.opened.iteration_set_up if name == "iteration-set-up" else self.opened.iteration_clean_up
        if function is not None:
            run(name, function)

    def check(self) -> None:
        opened = self.opened
        assert opened is not None
        self.step("iteration-set-up")
        inputs = run("iteration-set-up", opened.inputs, 1)
        text = run("body", checked, opened, inputs, bool(self.options.get("own_time")))
        self.step("iteration-clean-up")
        self.refuse_strangers()
        self.reply(
            "checked", digest=None if text is None else digest_of(text), text=None if text is None else text[:200]
        )

    def measure(self, which: str, *words: str) -> None:
        iterations, invocations, lead, windows = [int(word) for word in (*words, "0")[:4]]
        columns = Columns(windows)
        for iteration in range(-1 if lead else 0, iterations):
            count = invocations if iteration >= 0 else lead
            self.iteration(which, count, windows if iteration >= 0 else 0, columns if iteration >= 0 else None)
        self.refuse_strangers()
        self.reply("measured", **columns.members(which))

    def iteration(self, which: str, count: int, windows: int, columns: Columns | None) -> None:
        opened = self.opened
        assert opened is not None
        is_workload = which != "overhead"
        if is_workload:  # R18: the loop `overhead` runs no user code
            self.step("iteration-set-up")
        try:
            inputs = run("iteration-set-up", opened.inputs, count * max(1, windows)) if is_workload else [None]
            marks = [0] * (2 * windows + 2)
        except MemoryError:
            raise RequestError("not-supported", "that many do not fit in memory") from None
        OWN.seconds, OWN.reports = 0.0, 0
        probe_ns()
        probe_before, before = probe_ns(), counters.read()
        try:
            opened.run(which, count, marks, inputs)
        except BaseException as thrown:
            raise thrown_in("body", thrown) from None
        after, probe_after = counters.read(ended=True), probe_ns()
        if is_workload:
            counted = run("body", opened.iteration_operations) if opened.iteration_operations else None
            if self.options.get("own_time") and opened.whole is None:
                if OWN.reports == 0:
                    raise RequestError("exception", "the body has `own_time` and did not call `tare.took`", step="body")
                marks = [0, round(OWN.seconds * 1e9)]
            del inputs
            self.step("iteration-clean-up")
        else:
            counted = None
        if columns is not None:
            columns.add(marks, before, after, (probe_before, probe_after), counted)

    def diagnose(self, name: str, *words: str) -> None:
        iterations, invocations, lead = [int(word) for word in words]
        assert self.opened is not None
        found = diagnose(name, Observed(self.opened, self.step, iterations, invocations, lead))
        self.reply("diagnosed", **found)

    def collect(self) -> None:
        collect()
        self.reply("collected")

    def close(self) -> None:
        self.ended = "close"

    def bye(self) -> None:
        self.ended = "bye"
        if self.opened is None:
            self.end()

    def end(self) -> None:
        remove_own_folder()
        self.reply("bye")
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                pass
        _exit(0)


class Columns:
    """The columns of `measured`, with one number per iteration."""

    def __init__(self, windows: int) -> None:
        self.windows = windows
        self.all: dict[str, list[float]] = {}
        self.metrics: dict[str, list[float]] = {}
        self.window_ns: list[int] = []
        self.width_ns: list[int] = []

    def add(self, marks: list[int], before: Any, after: Any, probes: tuple[int, int], operations: Any) -> None:
        steps = [later - earlier for earlier, later in zip(marks, marks[1:])]
        elapsed = sum(steps[1::2]) if self.windows else steps[0]
        values: dict[str, float] = {
            "elapsed_ns": elapsed,
            **counters.columns(before, after),
            "probe_before_ns": probes[0],
            "probe_after_ns": probes[1],
        }
        if operations is not None:
            values["operations"] = operations
        for name, value in values.items():
            self.all.setdefault(name, []).append(value)
        for name, value in counters.metrics(before, after).items():
            self.metrics.setdefault(name, []).append(value)
        if self.windows:
            self.window_ns += steps[1::2]
            self.width_ns += [max(1, step) for step in steps[0::2]]

    def members(self, which: str) -> dict[str, Any]:
        windows = {"window_ns": self.window_ns, "width_ns": self.width_ns} if self.windows else {}
        metrics = {} if which == "overhead" else {"metrics": self.metrics}
        return {**self.all, **metrics, **windows}


# R11: the requests allowed in each state.
ANY: dict[str, Any] = {"hello": Child.hello, "bye": Child.bye}
READY: dict[str, Any] = {**ANY, "list": Child.list_all, "set": Child.set_values, "open": Child.open}
OPENED: dict[str, Any] = {
    **ANY,
    "check": Child.check,
    "measure": Child.measure,
    "diagnose": Child.diagnose,
    "collect": Child.collect,
    "close": Child.close,
}


def checked(opened: Opened, inputs: list[Any], is_own_time: bool) -> str | None:
    """The text of the result of one invocation. A lazy result, which has computed nothing yet, is an error."""
    result = opened.once(inputs)
    if inspect.isawaitable(result):
        raise BenchmarkError("it returns something that is not awaited: declare it with `async def`")
    if inspect.isgenerator(result) or inspect.isasyncgen(result) or isinstance(result, (map, filter, zip, enumerate)):
        raise BenchmarkError(f"it returns a {type(result).__name__}, which computes nothing yet: return a list")
    return text_of(result)


def key_of(declared: Declared, row: dict[str, Value]) -> str:
    texts = [text for name, value in row.items() for text in (str(name), value.text)]
    return digest_of(dumps([declared.group, declared.name, *texts], default=repr))


def line_of(declared: Declared, row: dict[str, Value]) -> dict[str, Any]:
    """The line of `list` for a benchmark."""
    options, values = declared.options, {name: value.value for name, value in row.items()}
    line: dict[str, Any] = {
        "group": declared.group,
        "name": declared.name,
        "baseline": bool(options.get("baseline")),
        "description": declared.description,
        "parameters": [
            {"name": str(name), "value": value.text, **({"type": value.type} if value.type else {})}
            for name, value in row.items()
        ],
    }
    if declared.file:
        line.update(file=declared.file, line=declared.line)
    if declared.code:
        full = ".".join(declared.code[part] for part in ("namespace", "type", "method") if declared.code.get(part))
        given = ", ".join(f"{name}: {value.text}" for name, value in row.items())
        line["code"] = {"full": f"{full}({given})" if given else full, **declared.code}
    try:
        line.update(computed(declared, values))
    except Exception as thrown:
        line["invalid"] = f"an option of it fails: {type(thrown).__name__}: {thrown}"
    wrong = what_is_wrong(declared, values)
    if wrong:
        line["invalid"] = wrong
    # JSON has neither all numbers nor all values: what is left of the others are texts, which the host refuses for this benchmark.
    return loads(dumps(line, default=repr), parse_constant=str)  # type: ignore[no-any-return]


def computed(declared: Declared, values: dict[str, Any]) -> dict[str, Any]:
    """The optional members, if they are declared."""
    options = declared.options
    line: dict[str, Any] = {"set_ups": list(getattr(declared.form, "set_ups", []))}
    for name in (
        "unit",
        "categories",
        "waits",
        "own_time",
        "restarts",
        "invocations_max",
        "threads",
    ):
        if options.get(name) is not None:
            line[name] = options.get(name)
    if options.get("diagnose"):
        line["diagnosers"] = options.get("diagnose")
    if options.get("results_change") or options.get("results_differ"):
        line["results"] = "change" if options.get("results_change") else "differ"
    if options.get("operations") is not None:
        line["operations"] = options.of("operations", values)
    rates = [
        (name, options.of(name, values), "B" if name == "bytes" else None)
        for name in ("bytes", "items")
        if options.get(name) is not None
    ]
    for name, given in (options.get("rates") or {}).items():
        amount, unit = given if isinstance(given, tuple) else (given, None)
        rates.append((name, called_with(amount, values) if inspect.isfunction(amount) else amount, unit))
    if rates:
        line["rates"] = [
            {"name": name, "per_invocation": amount, **({"unit": unit} if unit else {})} for name, amount, unit in rates
        ]
    if options.get("skip_if") is not None:
        reason = options.of("skip_if", values)
        if reason:
            line["skipped"] = reason if isinstance(reason, str) else "`skip_if` says so"
    if options.get("skip"):
        line["skipped"] = str(options.get("skip"))
    if options.get("cold_start") or options.get("monitoring"):
        line["strategy"] = "cold-start" if options.get("cold_start") else "monitoring"
    policy = {"visit_ns": options.get("visit_time"), "warmup_ns": options.get("warm_up_time")}
    policy = {name: seconds * 1e9 for name, seconds in policy.items() if seconds is not None}
    if options.get("invocations") is not None:
        policy["invocations"] = options.get("invocations")
    if policy:
        line["policy"] = policy
    launch = {"environment": dict(options.get("environment") or {}), "arguments": list(options.get("arguments") or [])}
    if any(launch.values()):
        line["launch"] = launch
    return line


def what_is_wrong(declared: Declared, values: dict[str, Any]) -> str:
    if declared.invalid:
        return declared.invalid
    wrong = getattr(declared.form, "wrong", None)
    return wrong(values) if wrong else ""


def unquoted(word: str) -> str:
    if word == "%":
        return ""
    return re.sub(rb"%(..)", lambda hexadecimal: bytes.fromhex(hexadecimal[1].decode()), word.encode()).decode(
        "utf-8", "replace"
    )


def read_value(kind: Any, text: str) -> Any:
    """Parses a value of this type."""
    if kind is bool:
        return {"true": True, "false": False}[text]
    return kind(text)


def check_value(name: str, declared: Value, text: str, others: list[str]) -> None:
    """Raises an error if the parameter cannot have the value of this text."""
    kind = type(declared.value)
    if kind not in (bool, int, float, str):
        if text not in others:
            raise RequestError(
                "bad-value", "{} is one of {}, and {!r} is not".format(name, ", ".join(dict.fromkeys(others)), text)
            )
        return
    try:
        read_value(kind, text)
    except (ValueError, KeyError):
        wanted = {bool: "true or false", int: "a whole number"}.get(kind, "a number")
        raise RequestError("bad-value", f"{name} is {wanted}, and {text!r} is not") from None


def given_values(declared: Value, texts: list[str]) -> list[Value]:
    """The values that replace a declared value. If its type cannot be parsed, the value itself stays if it is among the texts."""
    kind = type(declared.value)
    if kind not in (bool, int, float, str):
        return [declared] if declared.text in texts else []
    values = [read_value(kind, text) for text in texts]
    return [Value(value, text_of(value) or "", declared.type) for value in values]


def runtime() -> str:
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    name += " " + sys.version.split()[0]
    is_free = getattr(sys, "_is_gil_enabled", lambda: True)() is False
    return name + (" free-threaded" if is_free else "")
