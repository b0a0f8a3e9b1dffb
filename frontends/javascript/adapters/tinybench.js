'use strict';
// Runs benchmarks written for tinybench: this module replaces it in `import { Bench } from 'tinybench'`.

const declare = require('../lib/declare.js');
const { allMissing } = require('../lib/missing.js');

/** The step for each hook of a task. Hooks around each call run around each iteration, which then has a single call. */
const HOOKS = { beforeAll: 'setup', afterAll: 'teardown', beforeEach: 'iterationSetup', afterEach: 'iterationTeardown' };
/** Options about how much to measure and how to display it. */
const AMOUNTS = [
  'time', 'iterations', 'warmup', 'warmupTime', 'warmupIterations', 'now', 'timestampProvider', 'signal', 'throws', 'retainSamples',
  'subtractTimerOverhead',
];

class Task {
  constructor(bench, name, fn, options) {
    Object.assign(this, { bench, name, fn, options, result: undefined, runs: 0 });
  }

  /** A step of a benchmark: the hook of all tasks and the one of this task. */
  step(hook, ofAll) {
    return async () => {
      await (ofAll === undefined ? undefined : this.bench.options[ofAll]?.(this, 'run'));
      await this.options[hook]?.call(this, 'run');
    };
  }

  declare() {
    const { bench, options, fn } = this;
    const has = (hook, ofAll) => options[hook] || (ofAll && bench.options[ofAll]);
    const all = {};
    for (const [hook, step] of Object.entries(HOOKS)) {
      const ofAll = { beforeAll: 'setup', afterAll: 'teardown' }[hook];
      if (has(hook, ofAll)) {
        all[step] = this.step(hook, ofAll);
      }
    }
    if (typeof options.async === 'boolean') {
      all.awaits = options.async;
    }
    if (all.iterationSetup || all.iterationTeardown) {
      all.invocationsMax = 1;
    }
    return declare.bench(this.name, () => fn(), all);
  }
}

class Bench {
  constructor(options = {}) {
    this.options = options;
    this.tasks = [];
    this.declared = new Map();
    if (AMOUNTS.some((option) => options[option] !== undefined)) {
      declare.note('tinybench\'s options (time, iterations, warmup, ...) have no effect: `tare` decides how much to measure');
    }
    if (options.concurrency) {
      declare.note('tinybench\'s `concurrency` has no effect: each call is awaited before the next one');
    }
  }

  get name() {
    return this.options.name;
  }

  get results() {
    return [];
  }

  add(name, code, options = {}) {
    const task = new Task(this, name, code, options);
    this.tasks.push(task);
    const declareIt = () => { this.declared.set(name, task.declare()); };
    if (this.name) {
      declare.group(this.name, declareIt);
    } else {
      declareIt();
    }
    return this;
  }

  remove(name) {
    declare.withdraw(this.declared.get(name));
    this.tasks = this.tasks.filter((task) => task.name !== name);
    return this;
  }

  getTask(name) { return this.tasks.find((task) => task.name === name); }
  addEventListener() {}
  removeEventListener() {}
  /** Does nothing: `tare` runs the benchmarks. */
  async run() { return this.runSync(); }
  runSync() {
    declare.ran();
    return this.tasks;
  }

  async warmup() {}
  reset() {}
  table() { return []; }
}

/** tinybench's clocks, for options that take one. */
const now = () => performance.now();
const hrtimeNow = () => Number(process.hrtime.bigint()) / 1e6;
const nToMs = (ns) => ns / 1e6;
const mToNs = (ms) => ms * 1e6;

/** The value for the option `timestampProvider`. */
const performanceNowTimestampProvider = { name: 'performanceNow', fn: now, fromMs: (ms) => ms, toMs: (ms) => ms };
const hrtimeNowTimestampProvider = {
  name: 'hrtimeNow', fn: () => process.hrtime.bigint(), fromMs: (ms) => BigInt(Math.round(mToNs(ms))), toMs: (ns) => nToMs(Number(ns)),
};
/** tinybench's statistics; `tare` has its own. */
const ofResults = allMissing('tinybench', [
  'calibrateTimerOverhead', 'classifyTimerSaturation', 'detectTimerSaturation', 'estimateResolution', 'formatNumber', 'medianAbsoluteDeviation',
], '`tare` measures, and shows what it has measured');

module.exports = {
  ...ofResults, Bench, Task, now, hrtimeNow, nToMs, mToNs, performanceNowTimestampProvider, hrtimeNowTimestampProvider,
};
