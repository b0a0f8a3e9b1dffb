'use strict';
// What the system and the runtime say of this process.

const fs = require('node:fs');
const { PerformanceObserver, constants } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');

/** Reads a file of `/proc` that stays open. */
function openFile(path) {
  try {
    return fs.openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Bun and Deno have the names of what is below, and not all of what it does: the first counts no collections, the second reads a file once. */
const isNode = !process.versions.bun && !process.versions.deno;
const bytes = Buffer.alloc(256);
const schedule = process.versions.deno ? null : openFile(`/proc/self/task/${process.pid}/schedstat`);

/** Nanoseconds that the main thread has waited for a processor; null if the system does not tell. */
function waitedNs() {
  if (schedule === null) {
    return null;
  }
  const length = fs.readSync(schedule, bytes, 0, bytes.length, 0);
  const waited = Number(bytes.latin1Slice(0, length).split(' ')[1]);
  return Number.isFinite(waited) ? waited : null;
}

/** CPU time of this thread, ns, in steps of a microsecond; null before Node 23.9. */
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

/** The least that the readings around an iteration take, ns. */
let readingNs = Infinity;

/** What there is before an iteration. */
function readBefore() {
  const at = performance.now();
  return { at, waited: waitedNs(), cpu: threadCpuNs(), process: processCpuNs() };
}

/**
 * CPU time of the process and of this thread since then, ns, of an iteration that took so long. What the thread did not wait for a
 * processor it ran. Systems switch to others at the end of a call, as these readings are: the waiting that they saw may lie between them
 * and the iteration, so it is taken off from the time between the readings.
 */
function usedSince(before, wholeNs) {
  const process_ = processCpuNs() - before.process;
  const cpu = threadCpuNs();
  const waited = waitedNs();
  const betweenNs = (performance.now() - before.at) * 1e6;
  readingNs = Math.min(readingNs, betweenNs - wholeNs);
  if (cpu !== null) {
    return { process: process_, thread: cpu - before.cpu };
  }
  return { process: process_, thread: Math.max(0, Math.min(wholeNs, betweenNs - readingNs - (waited - before.waited))) };
}

/** A full collection. Without an argument: on Node 20 any argument makes it one of the young generation. */
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

/** Bytes that are alive, those of buffers included. */
function liveBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function usedBytes() {
  return v8.getHeapStatistics().used_heap_size;
}

/** Tells of collections in a later turn of the event loop, which costs what is timed next to nothing. */
class Collections {
  constructor() {
    this.seen = [];
    this.observer = new PerformanceObserver((list) => this.seen.push(...list.getEntries()));
    this.observer.observe({ type: 'gc' });
  }

  /** Those since the last time: when each began, ms, and whether it was of the old generation. */
  take() {
    const { NODE_PERFORMANCE_GC_MAJOR: major, NODE_PERFORMANCE_GC_MINOR: minor } = constants;
    const found = [...this.seen.splice(0), ...this.observer.takeRecords()];
    const ended = found.filter(({ detail }) => detail.kind === major || detail.kind === minor);
    return ended.map(({ startTime, detail }) => ({ at: startTime, isOld: detail.kind === major }));
  }
}

/** The bytes that are allocated until `stop`, over collections too. V8 then writes for 0.2 ms after each, so nothing is timed meanwhile. */
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

/** Bits of V8's `%GetOptimizationStatus`: wanted, wanted beside the program, and being compiled there. */
const IN_THE_QUEUE = (1 << 8) | (1 << 9) | (1 << 10);

/** Functions of V8 itself, by what they do to one of ours; null where the runtime does not have them. */
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
 * Keeps functions as they are. V8 would compile those of a front end in threads of its own after some hundred visits: their core is
 * another one, or a part of the one that is measured, and a visit would take another time before and after.
 */
function keepAsItIs(...functions) {
  functions.forEach((code) => natives?.interpret(code));
}

/** All methods of a class. */
function methodsOf(class_) {
  return Object.getOwnPropertyNames(class_.prototype).map((name) => Object.getOwnPropertyDescriptor(class_.prototype, name).value)
    .filter((value) => typeof value === 'function' && value !== class_);
}

/** Compiles a function now, by what some calls have shown of it; elsewhere many calls make a runtime do it. */
function compileNow(code, call) {
  natives?.prepare(code);
  for (let i = 0; i < (natives ? 3 : 300); i += 1) {
    call();
  }
  natives?.compile(code);
  call();
}

/** The bit of `%GetOptimizationStatus` of code that V8's last compiler made. */
const LAST = 1 << 6;

/** Those of some functions that V8 can compile: bound ones, proxies and its own have no code, and asking V8 to compile them ends the process. */
function compilable(...functions) {
  return functions.filter((code) => !/\{ \[native code\] \}$|\buse asm\b/.test(Function.prototype.toString.call(code)));
}

/** Lets the next call of a function compile it anew, by what its calls have shown. */
function compileAgain(code) {
  for (const one of compilable(code)) {
    natives.forget(one);
    natives.prepare(one);
    natives.compile(one);
  }
}

/** Lets a function be interpreted again. */
function forget(code) {
  compilable(code).forEach(natives.forget);
}

/** Whether V8 is about to compile one of these functions again. */
function isQueued(...functions) {
  return compilable(...functions).some((code) => (natives.status(code) & IN_THE_QUEUE) !== 0);
}

/** Those of some functions that V8's last compiler could compile and has not. */
function uncompiled(...functions) {
  return compilable(...functions).filter((code) => (natives.status(code) & LAST) === 0);
}

/** Bytes of compiled code. They grow whenever something was compiled. */
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
  keepAsItIs, methodsOf, compileNow, compileAgain, uncompiled, forget, waitedNs, threadCpuNs, readBefore, usedSince, collect, liveBytes, usedBytes, Collections, Allocations, hasCollections, isQueued, codeBytes,
  tellsCompilations,
};
