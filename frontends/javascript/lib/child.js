'use strict';
// The child's side of the protocol (`spec/protocol.md`; R1, R2, ... are its rules).

// The user's code may replace the global one.
const { setImmediate } = require('node:timers');
const { Array, Buffer, JSON, Math, Number, Object, String, process, fs } = require('./own.js');
const declare = require('./declare.js');
const { Opened, Refused, strays, exception } = require('./opened.js');
const { textOf, digestOf, beginning, inUtf8, wellFormed } = require('./text.js');
const loops = require('./loop.js');
const machine = require('./machine.js');
const { DIAGNOSERS, diagnoserOf } = require('./diagnose.js');
const { version } = JSON.parse(fs.readFileSync(require.resolve('../package.json'), 'utf8'));

const hasThreadCpu = machine.threadCpuNs() !== null;
const hasCpu = hasThreadCpu || machine.waitedNs() !== null;

function unquoted(word) {
  return word === '%' ? '' : decodeURIComponent(word);
}

/** The smallest step of the clock: the difference between the lengths of two pairs of readings. */
function resolutionNs() {
  const lengths = new Set();
  for (let i = 0; i < 2000; i += 1) {
    const begin = loops.now();
    lengths.add(Math.round((loops.now() - begin) * 1e6));
  }
  const sorted = [...lengths].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((length, place) => length - sorted[place]);
  return Math.max(1, Math.min(...(steps.length > 0 ? steps : [1])));
}

/** The runtime's options, without those added by the host. */
function flagsOfUser() {
  return process.execArgv.filter((flag) => !flag.includes('/start.') && flag !== '--no-concurrent-recompilation').join(' ');
}

/** Whether no option slows code down. */
function isOptimised() {
  const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')];
  return !flags.some((flag) => /^--(jitless|no-opt|max-lazy)$/.test(flag));
}

/** Whether the file is TypeScript, compiled by the runtime or the project. */
const isTypeScript = /\.[cm]?ts$/.test(process.argv[1] ?? '');

/** JSON has neither all numbers nor all strings of JavaScript. */
function inJson(key, value) {
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return Number(value);
    default:
      return value;
  }
}

class Child {
  constructor(write) {
    this.write = write;
    this.opened = null;
    /** The allocations of the iterations themselves, by number of windows. */
    this.own = new Map();
    this.collections = machine.hasCollections ? new machine.Collections() : null;
    /** Whether all iterations of the last request had collections. */
    this.isUncounted = false;
  }

  reply(name, members = {}) {
    const line = inUtf8(`${JSON.stringify({ reply: name, ...members }, inJson)}\n`);
    for (let at = 0; at < line.length; ) {
      at += fs.writeSync(this.write, line, at);
    }
  }

  async answer(line) {
    this.answering = true;
    const [verb, ...words] = line.split(' ');
    if (!(this.opened ? OPENED : READY).includes(verb)) {
      process.stderr.write(`error: tare cannot answer \`${line}\` here\n`); // R9
      process.exit(2);
    }
    try {
      await this[verb](...words);
    } catch (error) {
      // Any other error comes from what the user's code has put in the place of a method.
      this.reply('error', (error instanceof Refused ? error : exception('body', error)).members);
    }
    this.answering = false;
  }

  hello(asked) {
    if (Number(asked) !== 1) {
      throw new Refused('version', 'this child speaks version 1', { versions: [1] });
    }
    loops.warmProbes();
    this.hasProbe = loops.hasProbe();
    const { bun, deno, node, v8 } = process.versions;
    const runtime = bun ? `bun ${bun}` : deno ? `deno ${deno}` : `node ${node} (V8 ${v8.split('-')[0].split('.').slice(0, 2).join('.')})`;
    this.reply('hello', {
      protocol: 1,
      language: isTypeScript ? 'typescript' : 'javascript',
      front_end: `tare-javascript ${version}`,
      runtime,
      ...(flagsOfUser() ? { flags: flagsOfUser() } : {}),
      optimised: isOptimised(),
      debugger: isWatched(),
      clock: 'performance.now',
      clock_resolution_ns: resolutionNs(),
      unroll: 1,
      calls_body: false,
      ...(this.hasProbe ? { probe_cycles: loops.PROBE_CYCLES } : {}),
      width_additions: loops.WIDTH_ADDITIONS,
      width_per_process: true,
      compiles_late: true,
      ...(machine.tellsCompilations ? { compiles_by_clock: true, compiles_by_count: true } : {}),
      collects: true,
      metrics: machine.hasCollections ? METRICS : [],
      ...(DIAGNOSERS.length > 0 ? { diagnosers: DIAGNOSERS } : {}),
      capabilities: [...(DIAGNOSERS.length > 0 ? ['diagnose'] : []), ...(hasCpu ? ['cpu'] : []), 'process-cpu', ...(this.hasProbe ? ['probe'] : []), ...(machine.tellsCompilations ? ['compilations'] : []), 'windows', 'collect', 'parameters'],
    });
  }

  list() {
    const all = declare.cases();
    all.forEach((one, index) => this.reply('benchmark', lineOf(one, index)));
    this.reply('end', { count: all.length, ...(declare.notes.size > 0 ? { notes: [...declare.notes] } : {}) });
  }

  set(name, ...values) {
    let benchmarks;
    try {
      benchmarks = declare.set(unquoted(name), values.map(unquoted));
    } catch (error) {
      throw new Refused('bad-value', error.message);
    }
    this.reply('set', { benchmarks });
  }

  async open(index, seed, key) {
    const opened = await Opened.of(caseOf(index, key), Number(BigInt(seed) % 1000003n) + (seed === '0' ? 0 : 1));
    this.complain('set-up');
    this.opened = opened;
    this.code = machine.tellsCompilations ? machine.codeBytes() : 0;
    const told = opened.operations === undefined ? {} : { operations: opened.operations };
    this.reply('opened', { ...told, ...(Object.keys(opened.rates).length > 0 ? { rates: opened.rates } : {}) });
  }

  /** Reports uncaught exceptions and rejections. */
  complain(step) {
    if (strays.length > 0) {
      const thrown = strays.splice(0)[0];
      throw exception(step, thrown);
    }
  }

  async counted(places) {
    const { iterationOperations } = this.opened.case.options;
    if (!iterationOperations) {
      return;
    }
    const found = iterationOperations(this.opened.state);
    if (!(Number.isFinite(found) && found > 0)) {
      throw new Refused('exception', `\`iterationOperations\` returned ${String(found)}, which is not a number above 0`, { step: 'body' });
    }
    places.push(found);
  }

  async check() {
    await this.opened.step('iteration-set-up');
    const value = await this.opened.once();
    await turn();
    this.complain('body');
    await this.opened.step('iteration-clean-up');
    const text = this.opened.case.options.ownTime ? null : textOf(value);
    this.reply('checked', { digest: text === null ? null : digestOf(text), text: text === null ? null : beginning(text, 200) });
  }

  emptyColumns(windows) {
    return {
      elapsed_ns: [], ...(hasCpu ? { cpu_ns: [] } : {}), process_cpu_ns: [], ...(this.hasProbe ? { probe_before_ns: [], probe_after_ns: [] } : {}),
      operations: [], ...(windows > 0 ? { window_ns: [], width_ns: [] } : {}),
      spans: [],
    };
  }

  async measure(which, ...numbers) {
    const [iterations, invocations, lead, windows = 0] = numbers.map(Number);
    if (which === 'workload') {
      this.opened.warmEmpty();
    }
    const request = { which, invocations, windows };
    const found = this.emptyColumns(windows);
    const before = this.emptyColumns(0);
    const isCounted = this.collections !== null && this.isUncounted;
    if (lead > 0) {
      await this.iteration({ ...request, invocations: lead, windows: 0, isCounted }, before);
    }
    for (let i = 0; i < iterations; i += 1) {
      await this.iteration(request, found);
    }
    if (which === 'workload' && !this.opened.isAwaited) {
      await turn();
      this.complain('body');
    }
    if (machine.tellsCompilations) {
      found.compilations = Array(iterations).fill(0);
      found.compilations[iterations - 1] = this.hasCompiled() ? 1 : 0;
    }
    const { operations, spans, ...columns } = found;
    if (which === 'overhead') {
      this.reply('measured', columns);
      return;
    }
    // A slice of the warm-up; there are no windows if each call counts.
    const compiles = () => this.opened.isCompiling() || (windows > 0 && this.opened.compile(iterations * invocations * windows));
    if (machine.tellsCompilations && lead === 0 && compiles()) {
      columns.events = [{ iteration: iterations - 1, kind: 'compiling', at_ns: 0, ns: 0 }];
    }
    const metrics = this.collections === null ? {} : { metrics: await this.metrics(spans, request, { bytes: isCounted ? before.spans[0]?.bytes : undefined, lead }) };
    this.reply('measured', { ...columns, ...(operations.length > 0 ? { operations } : {}), ...metrics });
  }

  /**
   * The collections and allocations of the iterations of a request. After a collection, the heap size no longer shows what was allocated.
   * If all iterations had collections, an invocation of the next lead-in is counted instead, which is untimed.
   */
  async metrics(spans, request, { bytes: ofLead, lead }) {
    const own = await this.ownBytes(request.windows);
    const seen = this.collections.take();
    const within = spans.map(({ from, to }) => seen.filter(({ at }) => from <= at && at <= to));
    const allocated = spans.map(({ bytes }, at) => (within[at].length > 0 ? null : Math.max(0, bytes - own)));
    this.isUncounted = allocated.every((bytes) => bytes === null);
    if (this.isUncounted && ofLead !== undefined) {
      const each = Math.max(0, ofLead - (await this.ownBytes(0))) / lead;
      allocated[allocated.length - 1] = each * request.invocations * Math.max(1, request.windows);
    }
    return {
      allocated_bytes: allocated,
      collections_0: within.map((those) => those.length),
      collections_1: within.map((those) => those.filter(({ isOld }) => isOld).length),
    };
  }

  async diagnose(name, ...numbers) {
    const [iterations, invocations, lead] = numbers.map(Number);
    const diagnoser = diagnoserOf(name, this.opened);
    const request = { which: 'workload', windows: 0 };
    if (lead > 0) {
      await this.iteration({ ...request, invocations: lead }, this.emptyColumns(0));
    }
    const found = this.emptyColumns(0);
    try {
      diagnoser.start();
      for (let i = 0; i < iterations; i += 1) {
        if (i === iterations - 1) {
          diagnoser.beforeLast();
        }
        await this.iteration({ ...request, invocations }, found);
      }
      const { operations } = found;
      this.reply('diagnosed', { metrics: {}, ...diagnoser.found(), ...(operations.length > 0 ? { operations } : {}) });
    } finally {
      diagnoser.end();
    }
  }

  /** Whether anything was compiled since the last call. Checking takes longer than a short iteration, so it is done once per request. */
  hasCompiled() {
    const before = this.code;
    this.code = machine.codeBytes();
    return this.code > before;
  }

  /**
   * The allocations of an iteration itself, measured without a body. They shrink once V8 has compiled the runtime functions in use, so they
   * are measured again now and then.
   */
  async ownBytes(windows) {
    const known = this.own.get(windows) ?? { asked: 0, bytes: 0 };
    if (known.asked < 3 || known.asked % 16 === 0) {
      const found = this.emptyColumns(windows);
      await this.iteration({ which: 'overhead', invocations: 1, windows }, found);
      // Negative after a collection.
      known.bytes = found.spans[0].bytes < 0 ? known.bytes : found.spans[0].bytes;
    }
    known.asked += 1;
    this.own.set(windows, known);
    return known.bytes;
  }

  async iteration({ which, invocations, windows, isCounted = false }, found) {
    const isWorkload = which === 'workload';
    if (isWorkload) {
      await this.opened.step('iteration-set-up');
    }
    const marks = windows > 0 ? new Float64Array(2 * windows + 2) : null;
    const from = loops.now();
    const allocations = isCounted ? new machine.Allocations() : null;
    const heap = this.collections === null ? 0 : machine.usedBytes();
    const probeBefore = loops.probeNs();
    const before = machine.readBefore();
    const begin = loops.now();
    const result = await this.opened.invocations(which, invocations, marks);
    const whole = (loops.now() - begin) * 1e6;
    const used = machine.usedSince(before, whole);
    const probeAfter = loops.probeNs();
    const bytes = allocations?.stop() ?? (this.collections === null ? 0 : machine.usedBytes() - heap);
    found.spans.push({ from, to: loops.now(), bytes });
    if (isWorkload) {
      if (this.opened.isAwaited) {
        await turn();
      }
      this.complain('body');
      await this.counted(found.operations);
      await this.opened.step('iteration-clean-up');
    }
    let elapsed = result.elapsed * 1e6;
    if (marks !== null) {
      elapsed = 0;
      for (let at = 0; at + 1 < marks.length; at += 1) {
        const ns = Math.max(0, (marks[at + 1] - marks[at]) * 1e6);
        if (at % 2 === 0) {
          found.width_ns.push(Math.max(1, ns));
        } else {
          found.window_ns.push(ns);
          elapsed += ns;
        }
      }
    }
    const { ownTime } = this.opened.case.options;
    if (isWorkload && ownTime && !Number.isFinite(result.own)) {
      throw new Refused('exception', 'it has `ownTime` and does not return a number of nanoseconds', { step: 'body' });
    }
    found.elapsed_ns.push(isWorkload && ownTime ? Math.max(0, result.own) : elapsed);
    if (hasCpu) {
      const stretch = marks === null ? elapsed : whole;
      // While the body waits for something other than a processor, use the CPU time of the process.
      found.cpu_ns.push(Math.min(stretch, this.opened.isAwaited && !hasThreadCpu ? used.process : used.thread));
    }
    found.process_cpu_ns.push(used.process);
    if (this.hasProbe) {
      found.probe_before_ns.push(probeBefore);
      found.probe_after_ns.push(probeAfter);
    }
  }

  collect() {
    machine.collect();
    this.reply('collected', { live_bytes: machine.liveBytes() });
  }

  async close() {
    const opened = this.opened;
    // R12: `ready` even if the clean-up throws.
    this.opened = null;
    await opened.step('clean-up');
    await turn();
    this.complain('clean-up');
    this.reply('closed');
  }

  async bye() {
    try {
      await this.opened?.step('clean-up');
    } catch (error) {
      process.stderr.write(`error in the clean-up: ${error.message}\n`);
    }
    this.reply('bye');
    this.answering = false;
    process.exit(0);
  }
}

/** The metrics counted for each iteration besides the time. */
const METRICS = [
  { name: 'allocated_bytes', unit: 'B', better: 'lower', per: 'operation' },
  { name: 'collections_0', better: 'lower', per: 'operation' },
  { name: 'collections_1', better: 'lower', per: 'operation' },
];

/** Waits for one turn of the event loop, so that pending callbacks of a body run and their exceptions are seen. */
function turn() {
  return new Promise((resolve) => setImmediate(resolve));
}

function isWatched() {
  try {
    return require('node:inspector').url() !== undefined;
  } catch {
    return false;
  }
}

/** The benchmark with this key. Another process may have declared them in another order. */
function caseOf(index, key) {
  const all = declare.cases();
  const found = [all[index], ...all].find((one) => key === undefined || (one && digestOf(one.key) === key));
  if (found === undefined) {
    throw new Refused('exception', 'this process does not declare it: declare the same ones each time', { step: 'set-up' });
  }
  return found;
}

function lineOf(one, index) {
  const { options } = one;
  const amount = (value) => (typeof value === 'function' ? 0 : value);
  const rates = Object.entries({ ...options.rates, ...(options.bytes === undefined ? {} : { bytes: options.bytes }) });
  const steps = { setup: 'global', teardown: 'global-clean-up', iterationSetup: 'iteration', iterationTeardown: 'iteration-clean-up' };
  const skipped = typeof options.skip === 'string' ? options.skip : options.skip ? 'it is marked `skip`' : one.apart;
  const line = {
    index,
    key: digestOf(one.key),
    group: one.group,
    name: one.name,
    parameters: one.parameters.map(({ name, text, type }) => ({ name, value: text, type })),
    file: one.file,
    line: one.line,
    baseline: Boolean(options.baseline),
    operations: typeof options.operations === 'number' ? options.operations : 1,
    unit: options.unit,
    rates: rates.length > 0 ? rates.map(([name, value]) => ({ name, per_invocation: amount(value) })) : undefined,
    skipped: skipped || undefined,
    categories: options.categories,
    diagnosers: options.diagnose,
    description: options.description,
    set_ups: Object.keys(steps).filter((step) => options[step]).map((step) => steps[step]),
    threads: options.threads,
    waits: options.waits ? true : undefined,
    own_time: options.ownTime ? true : undefined,
    results: options.resultsChange ? 'change' : options.resultsDiffer ? 'differ' : undefined,
    strategy: options.coldStart ? 'cold-start' : options.monitoring ? 'monitoring' : undefined,
    invocations_max: options.invocationsMax,
    policy: options.visitTime ? { visit_ns: options.visitTime * 1e9 } : undefined,
    invalid: one.invalid ?? undefined,
  };
  return line;
}

/** R11: the requests allowed in each state. */
const READY = ['hello', 'list', 'set', 'open', 'bye'];
const OPENED = ['hello', 'check', 'measure', 'diagnose', 'collect', 'close', 'bye'];

/** The two ends of the link, on descriptors that child processes of the user's code do not inherit (R2). */
function ends(link) {
  const form = /^fd:(\d+),(\d+)$/.exec(link);
  if (!form) {
    throw new Error('unknown form');
  }
  const apart = (descriptor, mode) => {
    // Deno has its own file numbers, and does not accept descriptors that it has not opened.
    if (!process.versions.deno) {
      fs.fstatSync(descriptor);
    }
    try {
      const own = fs.openSync(`/proc/self/fd/${descriptor}`, mode);
      if (!process.versions.deno) {
        fs.closeSync(descriptor);
      }
      return own;
    } catch {
      return descriptor;
    }
  };
  return [apart(Number(form[1]), 'r'), apart(Number(form[2]), 'w')];
}

/** Answers one request after the other, blocking the process while it waits. */
async function serve(link) {
  let read, write;
  try {
    [read, write] = ends(link);
  } catch {
    process.stderr.write(`error: TARE_LINK=${link} has an unknown form, or is not open\n`);
    process.exit(2);
  }
  const child = new Child(write);
  watchStrays(child);
  const chunk = Buffer.alloc(4096);
  let rest = '';
  for (;;) {
    const end = rest.indexOf('\n');
    if (end >= 0) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      await child.answer(line);
      continue;
    }
    let length;
    try {
      length = fs.readSync(read, chunk, 0, chunk.length, null);
    } catch (error) {
      if (error.code === 'EINTR' || error.code === 'EAGAIN') {
        continue;
      }
      throw error;
    }
    if (length === 0) {
      // R4: without running the user's clean-up.
      process.reallyExit(0);
    }
    rest += chunk.latin1Slice(0, length);
  }
}

/** Handles uncaught errors, and promises that never settle. */
function watchStrays(child) {
  const note = (thrown) => strays.push(thrown);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  process.on('beforeExit', () => {
    if (child.answering) {
      const message = 'a promise never settles: nothing is left that could settle it';
      child.reply('error', { kind: 'exception', step: 'body', message });
      process.reallyExit(0);
    }
  });
}

machine.keepAsItIs(...machine.methodsOf(Child), turn);

module.exports = { serve };
