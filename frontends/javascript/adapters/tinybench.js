'use strict';
// Benchmarks written for tinybench: `import { Bench } from '@tare/tinybench'`.

const declare = require('../lib/declare.js');

/** What each hook of a task is here: those around each call are around each iteration, which then has one call. */
const HOOKS = { beforeAll: 'setup', afterAll: 'teardown', beforeEach: 'iterationSetup', afterEach: 'iterationTeardown' };

class Bench {
  constructor(options = {}) {
    this.options = options;
    this.tasks = [];
    this.results = [];
  }

  get name() {
    return this.options.name;
  }

  add(name, code, options = {}) {
    const hooks = Object.entries(HOOKS).filter(([hook]) => options[hook]).map(([hook, step]) => [step, () => options[hook]('run')]);
    const all = { ...Object.fromEntries(hooks), ...(hooks.some(([step]) => step.startsWith('iteration')) ? { maxInvocations: 1 } : {}) };
    const declareIt = () => declare.bench(name, () => code(), all);
    this.tasks.push({ name });
    if (this.name) {
      declare.group(this.name, () => { declareIt(); });
    } else {
      declareIt();
    }
    return this;
  }

  todo() { return this; }
  addEventListener() {}
  removeEventListener() {}
  getTask(name) { return this.tasks.find((task) => task.name === name); }
  /** Nothing to do: `tare` runs them. */
  async run() { return this.tasks; }
  async warmup() {}
  table() { return []; }
}

module.exports = { Bench };
