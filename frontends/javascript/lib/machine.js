'use strict';
// Information about this process from the system and the runtime.

const { PerformanceObserver, constants } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const { Buffer, Math, Number, Object, process, fs } = require('./own.js');

/** Milliseconds since the start of the process, with fractions. A reading allocates no object, and the user's code may replace the clock. */
const now = performance.now.bind(performance);

/** Opens a file of `/proc` and keeps it open. */
function openFile(path) {
  try {
    return fs.openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Bun and Deno have these functions, but not their full behaviour: Bun counts no collections, and Deno reads a file only once. */
const isNode = !process.versions.bun && !process.versions.deno;
const bytes = Buffer.alloc(256);
const schedule = process.versions.deno ? null : openFile(`/proc/self/task/${process.pid}/schedstat`);

/** Nanoseconds that the main thread has waited for a processor; null if the system does not report them. */
function waitedNs() {
  if (schedule === null) {
    return null;
  }
  const length = fs.readSync(schedule, bytes, 0, bytes.length, 0);
  const waited = Number(bytes.latin1Slice(0, length).split(' ')[1]);
  return Number.isFinite(waited) ? waited : null;
}

/** CPU time of this thread in ns, with a resolution of 1 µs; null before Node 23.9. */
function threadCpuNs() {
  if (typeof process.threadCpuUsage !== 'function') {
    return null;
  }
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1000;
}

function processCpuNs() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** The minimum time of the readings around an iteration in ns. */
let readingNs = Infinity;

/** The readings before an iteration. */
function readBefore() {
  const at = now();
  return { at, waited: waitedNs(), cpu: threadCpuNs(), process: processCpuNs() };
}

/**
 * CPU time in ns of the process and of this thread during an iteration of `wholeNs`. The thread was running when it was not waiting for a
 * processor. Systems switch threads at the end of a system call, such as these readings, so the recorded waiting may lie between a reading
 * and the iteration. It is therefore subtracted from the time between the readings.
 */
function usedSince(before, wholeNs) {
  const process_ = processCpuNs() - before.process;
  const cpu = threadCpuNs();
  const waited = waitedNs();
  const betweenNs = (now() - before.at) * 1e6;
  readingNs = Math.min(readingNs, betweenNs - wholeNs);
  if (cpu !== null) {
    return { process: process_, thread: cpu - before.cpu };
  }
  return { process: process_, thread: Math.max(0, Math.min(wholeNs, betweenNs - readingNs - (waited - before.waited))) };
}

/** Runs a full collection. Called without an argument: on Node 20 any argument limits it to the young generation. */
let fullCollection = null;

function collect() {
  if (fullCollection === null && process.versions.bun) {
    fullCollection = () => globalThis.Bun.gc(true);
  } else if (fullCollection === null) {
    v8.setFlagsFromString('--expose-gc');
    fullCollection = vm.runInNewContext('gc');
  }
  fullCollection();
}

/** Live bytes, including buffers. */
function liveBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function usedBytes() {
  return v8.getHeapStatistics().used_heap_size;
}

/** Records collections. They are reported in a later turn of the event loop, which costs the timed code next to nothing. */
class Collections {
  constructor() {
    this.seen = [];
    this.observer = new PerformanceObserver((list) => this.seen.push(...list.getEntries()));
    this.observer.observe({ type: 'gc' });
  }

  /** The collections since the last call: their start in ms, and whether they included the old generation. */
  take() {
    const { NODE_PERFORMANCE_GC_MAJOR: major, NODE_PERFORMANCE_GC_MINOR: minor } = constants;
    const found = [...this.seen.splice(0), ...this.observer.takeRecords()];
    const ended = found.filter(({ detail }) => detail.kind === major || detail.kind === minor);
    return ended.map(({ startTime, detail }) => ({ at: startTime, isOld: detail.kind === major }));
  }
}

/** Counts allocated bytes until `stop`, across collections. V8 then writes for 0.2 ms after each collection, so nothing is timed meanwhile. */
class Allocations {
  constructor() {
    this.profiler = new v8.GCProfiler();
    this.profiler.start();
    this.begun = usedBytes();
  }

  stop() {
    const ended = usedBytes();
    let [allocated, before] = [0, this.begun];
    for (const { beforeGC, afterGC } of this.profiler.stop()?.statistics ?? []) {
      allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - before);
      before = afterGC.heapStatistics.usedHeapSize;
    }
    return allocated + Math.max(0, ended - before);
  }
}

/** Bits of V8's `%GetOptimizationStatus`: marked for optimisation, marked for concurrent optimisation, and being optimised concurrently. */
const IN_THE_QUEUE = (1 << 8) | (1 << 9) | (1 << 10);

/** V8's own functions, by their effect on a function of ours; null if the runtime lacks them. */
const natives = (() => {
  try {
    v8.setFlagsFromString('--allow-natives-syntax');
    const made = {
      status: new Function('code', 'return %GetOptimizationStatus(code)'),
      interpret: new Function('code', '%NeverOptimizeFunction(code)'),
      prepare: new Function('code', '%PrepareFunctionForOptimization(code)'),
      compile: new Function('code', '%OptimizeFunctionOnNextCall(code)'),
      forget: new Function('code', '%DeoptimizeFunction(code)'),
    };
    v8.setFlagsFromString('--no-allow-natives-syntax');
    return Number.isInteger(made.status(collect)) ? made : null;
  } catch {
    return null;
  }
})();

/**
 * Keeps functions interpreted. After some hundred visits, V8 would compile those of the front end in threads of its own, on another core or
 * on part of the measured one, and visits would take a different time before and after.
 */
function keepAsItIs(...functions) {
  functions.forEach((code) => natives?.interpret(code));
}

function methodsOf(class_) {
  return Object.getOwnPropertyNames(class_.prototype).map((name) => Object.getOwnPropertyDescriptor(class_.prototype, name).value)
    .filter((value) => typeof value === 'function' && value !== class_);
}

/** Compiles a function now, with the feedback of a few calls; in other runtimes, many calls make it compile. */
function compileNow(code, call) {
  natives?.prepare(code);
  for (let i = 0; i < (natives ? 3 : 300); i += 1) {
    call();
  }
  natives?.compile(code);
  call();
}

/** The bit of `%GetOptimizationStatus` for code from V8's last compiler. */
const LAST = 1 << 6;

/** The functions that V8 can compile. Bound functions, proxies and V8's own have no code, and asking V8 to compile them kills the process. */
function compilable(...functions) {
  return functions.filter((code) => !/\{ \[native code\] \}$|\buse asm\b/.test(Function.prototype.toString.call(code)));
}

/** Makes the next call of a function recompile it, with the feedback of its calls. */
function compileAgain(code) {
  for (const one of compilable(code)) {
    natives.forget(one);
    natives.prepare(one);
    natives.compile(one);
  }
}

/** Discards the compiled code of a function, so that it is interpreted again. */
function forget(code) {
  compilable(code).forEach(natives.forget);
}

/** Whether V8 is about to recompile one of these functions. */
function isQueued(...functions) {
  return compilable(...functions).some((code) => (natives.status(code) & IN_THE_QUEUE) !== 0);
}

/** The functions that V8's last compiler could compile but has not. */
function uncompiled(...functions) {
  return compilable(...functions).filter((code) => (natives.status(code) & LAST) === 0);
}

/** Bytes of compiled code, which grow with every compilation. */
function codeBytes() {
  let bytes_ = 0;
  for (const space of v8.getHeapSpaceStatistics()) {
    if (space.space_name === 'code_space' || space.space_name === 'code_large_object_space') {
      bytes_ += space.space_used_size;
    }
  }
  return bytes_;
}

const tellsCompilations = (() => {
  try {
    return natives !== null && codeBytes() > 0;
  } catch {
    return false;
  }
})();

const hasCollections = isNode && typeof v8.GCProfiler === 'function';

keepAsItIs(waitedNs, threadCpuNs, processCpuNs, readBefore, usedSince, codeBytes, isQueued, uncompiled, compilable, usedBytes, ...methodsOf(Collections), ...methodsOf(Allocations));

module.exports = {
  now,
  keepAsItIs, methodsOf, compileNow, compileAgain, uncompiled, forget, waitedNs, threadCpuNs, readBefore, usedSince, collect, liveBytes, usedBytes, Collections, Allocations, hasCollections, isQueued, codeBytes,
  tellsCompilations,
};
