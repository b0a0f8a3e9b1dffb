'use strict';
// An open benchmark: its instance, its steps, and how its iterations are run.

const { inspect } = require('node:util');
const { Array, Number, Object, String } = require('./own.js');
const { loopOf, empty, sink, now, width } = require('./loop.js');
const machine = require('./machine.js');
const { placeIn } = require('./place.js');

/** An `error` reply: its kind and its members. */
class Refused extends Error {
  constructor(kind, message, members = {}) {
    super(message);
    this.members = { kind, message, ...members };
  }
}

function exception(step, thrown) {
  const isError = thrown instanceof Error;
  const message = isError ? thrown.message || thrown.name : `threw ${typeof thrown === 'string' ? thrown : inspect(thrown)}`;
  return new Refused('exception', message, { step, ...(isError ? { type: thrown.constructor?.name || thrown.name } : {}), ...placeIn(thrown) });
}

/** Calls whose results are checked one by one, because a body may return a promise only now and then. */
const LOOKED_AT = 64;

const isPromise = (value) => Boolean(value && typeof value.then === 'function');

/** Calls of a body that give V8 enough feedback to compile it. */
const CALLS_TOLD = 64;
/** The maximum number of compilations of a function: one whose types keep changing never stays compiled. */
const COMPILED_MAX = 4;

/** Uncaught errors of callbacks and promises since the last request. */
const strays = [];

/** Runs a step of the user's code. Whatever it throws is reported, and does not end the process. */
async function run(step, code) {
  try {
    const result = code();
    return result && typeof result.then === 'function' ? await result : result;
  } catch (thrown) {
    throw thrown instanceof Refused ? thrown : exception(step, thrown);
  }
}

/** Positions per page of the stack, and the distance between them in eight-byte variables. */
const PLACES = 64;
const WORDS = 8;

/** Makes a frame with a number of variables below the body, which moves the body on the stack. It is always one frame, since a body may inspect the stack. */
function placeOnStack(seed) {
  const variables = Array.from({ length: WORDS * (seed % PLACES) }, (_, at) => `v${at} = 0`);
  const place = new Function('code', `${variables.length > 0 ? `let ${variables};` : ''} return code();`);
  machine.keepAsItIs(place);
  return place;
}

/** Whether a function is a generator that sets up and yields the body. */
function isGenerator(code) {
  return /^(Async)?GeneratorFunction$/.test(code.constructor.name);
}

class Opened {
  static async of(case_, seed) {
    const opened = new Opened();
    opened.case = case_;
    opened.place = placeOnStack(seed);
    // Allocating objects of varying sizes first moves what the set-up allocates.
    opened.filler = seed === 0 ? null : Array.from({ length: 1 + (seed % 7) }, (_, i) => new Array(1 + ((seed >> (3 * i)) % 1021)).fill(i));
    opened.parameters = Object.fromEntries(case_.parameters.map((p) => [p.name, p.value]));
    const { setup, operations, bytes, rates } = case_.options;
    opened.body = case_.body;
    opened.seen = 0;
    opened.told = 0;
    opened.compiled = new Map();
    /** Whether the body returns promises, as declared or according to its first call. */
    opened.isAwaited = case_.options.awaits;
    opened.state = setup ? await run('set-up', () => setup(opened.parameters)) : opened.parameters;
    if (isGenerator(case_.body)) {
      await opened.generate();
    }
    const told = async (value) => (typeof value === 'function' ? run('set-up', () => value(opened.state)) : undefined);
    const counted = await told(operations);
    if (counted !== undefined && !(Number.isInteger(counted) && counted >= 1)) {
      throw new Refused('exception', `\`operations\` returned ${String(counted)}, which is not a whole number of at least 1`, { step: 'set-up' });
    }
    opened.operations = counted;
    opened.rates = {};
    for (const [name, value] of Object.entries({ ...rates, ...(bytes === undefined ? {} : { bytes }) })) {
      const amount = await told(value);
      if (amount !== undefined) {
        opened.rates[name] = amount;
      }
    }
    return opened;
  }

  /** Runs a generator, which sets up, yields the body, and is resumed at the end. */
  async generate() {
    this.generator = this.case.body(this.state);
    const { value, done } = await run('set-up', () => this.generator.next());
    if (done || typeof value !== 'function') {
      throw new Refused('exception', 'the generator does not yield a function: `yield () => work()`', { step: 'set-up' });
    }
    this.body = value;
    this.state = undefined;
  }

  step(name) {
    if (name === 'clean-up' && this.generator) {
      return run(name, async () => {
        await this.generator.next();
        await this.case.options.teardown?.(this.state);
      });
    }
    const option = { 'iteration-set-up': 'iterationSetup', 'iteration-clean-up': 'iterationTeardown', 'clean-up': 'teardown' }[name];
    const code = this.case.options[option];
    return code ? run(name, () => code(this.state)) : undefined;
  }

  /** Checks the result of a call. Unless it is declared, the first one decides whether all are awaited. */
  look(value) {
    this.mustFit(value);
    this.seen += 1;
    this.isAwaited = this.case.options.awaits ?? (this.isAwaited || isPromise(value));
  }

  /** Rejects a promise that would not be awaited: its time would be wrong, and visits would depend on how often it occurs. */
  mustFit(value) {
    if (this.isAwaited === false && this.case.options.awaits === undefined && isPromise(value)) {
      throw new Refused('exception', `the body returns a promise now and then, and returned none in its first ${this.seen} calls: measure both by themselves, or say \`awaits: true\``, { step: 'body' });
    }
  }

  /** Whether the results of the next calls have to be checked. */
  get isUnknown() {
    return this.isAwaited === undefined || (this.seen < LOOKED_AT && !this.isAwaited && this.case.options.awaits === undefined);
  }

  loop() {
    const kind = `${this.case.options.ownTime ? 'own' : ''}${this.isAwaited ? (this.case.options.ownTime ? '-awaited' : 'awaited') : ''}` || 'plain';
    if (this.made?.kind !== kind) {
      this.made = { kind, workload: loopOf(kind), overhead: loopOf(kind), empty: empty() };
    }
    return this.made;
  }

  async once() {
    const { body } = this;
    const result = await run('body', () => {
      const value = body(this.state);
      this.look(value);
      return value;
    });
    return result;
  }

  /**
   * Runs `count` invocations in a loop, or in windows of `count` invocations each with readings of the width probe around them. The first
   * calls are made one by one and checked.
   */
  async invocations(which, count, marks) {
    if (which !== 'overhead' && this.isUnknown) {
      return marks === null ? this.first(count) : cutAwaited(() => this.first(count), count, null, null, marks);
    }
    const { workload, overhead, empty: nothing } = this.loop();
    const [loop, body] = which === 'overhead' ? [overhead, nothing] : [workload, this.body];
    const code = marks === null ? timed : this.isAwaited && which !== 'overhead' ? cutAwaited : cut;
    try {
      const result = this.place(() => code(loop, count, body, this.state, marks));
      const done = isPromise(result) ? await result : result;
      if (which !== 'overhead') {
        this.mustFit(sink.v);
      }
      return done;
    } catch (thrown) {
      throw thrown instanceof Refused ? thrown : exception('body', thrown);
    }
  }

  /** Has the `overhead` loop compiled by the time the workload loop is. */
  warmEmpty() {
    if (this.isAwaited === false) {
      const { overhead, empty: nothing } = this.loop();
      overhead(1000, nothing, this.state);
    }
  }

  /** Whether V8 is about to compile the body or its loop. */
  isCompiling() {
    return machine.isQueued(this.loop().workload, this.body);
  }

  /**
   * Makes the next calls compile the body or its loop, if V8 has not done so after a number of calls in the warm-up. Returns whether it does.
   * V8 itself compiles a short body after thousands of calls, at a different time in each process, possibly while it is being timed.
   */
  compile(calls) {
    this.told += calls;
    if (this.told < CALLS_TOLD) {
      return false;
    }
    const times = (code) => this.compiled.get(code) ?? 0;
    const next = machine.uncompiled(this.body, this.loop().workload).find((code) => times(code) < COMPILED_MAX);
    if (next === undefined) {
      return false;
    }
    this.told = 0;
    this.compiled.set(next, times(next) + 1);
    machine.compileAgain(next);
    return true;
  }

  async first(count) {
    const { ownTime } = this.case.options;
    let own = 0;
    const begin = now();
    for (let i = 0; i < count; i += 1) {
      try {
        const value = this.body(this.state);
        this.look(value);
        sink.v = this.isAwaited ? await value : value;
        // Convert only with `ownTime`: a symbol, or an object without a prototype, cannot become a number.
        own += ownTime ? Number(sink.v) : 0;
      } catch (thrown) {
        throw thrown instanceof Refused ? thrown : exception('body', thrown);
      }
    }
    return { elapsed: now() - begin, own };
  }
}

/** The time of a loop in milliseconds. */
function timed(loop, count, body, state) {
  const begin = now();
  const result = loop(count, body, state);
  if (result && typeof result.then === 'function') {
    return result.then((own) => ({ elapsed: now() - begin, own }));
  }
  return { elapsed: now() - begin, own: result };
}

/** After a pause, the code of the probe and the clock is cold, and the first three readings are too long. */
function warm(marks) {
  for (let i = 0; i < 3; i += 1) {
    marks[0] = now();
    width();
    marks[1] = now();
  }
}

/** Runs windows, with clock readings around each window and each reading of the probe. */
function cut(loop, count, body, state, marks) {
  warm(marks);
  marks[0] = now();
  width();
  marks[1] = now();
  for (let at = 2; at < marks.length; at += 2) {
    loop(count, body, state);
    marks[at] = now();
    width();
    marks[at + 1] = now();
  }
  return { elapsed: 0, own: 0 };
}

/** The same for a body that returns promises. */
async function cutAwaited(loop, count, body, state, marks) {
  warm(marks);
  marks[0] = now();
  width();
  marks[1] = now();
  for (let at = 2; at < marks.length; at += 2) {
    await loop(count, body, state);
    marks[at] = now();
    width();
    marks[at + 1] = now();
  }
  return { elapsed: 0, own: 0 };
}

// The callers of the probes and the loop stay interpreted, so that neither is inlined into them.
machine.keepAsItIs(...machine.methodsOf(Opened), run, timed, warm, cut, cutAwaited);

module.exports = { Opened, Refused, exception, strays };
