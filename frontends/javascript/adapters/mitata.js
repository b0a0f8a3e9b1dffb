'use strict';
// Benchmarks written for mitata: their `import { bench, run } from 'mitata'` is this module.

const declare = require('../lib/declare.js');
const { input } = require('../lib/loop.js');
const { allMissing } = require('../lib/missing.js');

/** Values of a range: `range('n', 1, 1024)` has 1, 8, 64, 512, 1024. */
function range(from, to, factor = 8) {
  const values = [];
  for (let value = from; value < to; value *= factor) {
    values.push(value);
  }
  return [...values, to];
}

function denseRange(from, to, step = 1) {
  const values = [];
  for (let value = from; value <= to; value += step) {
    values.push(value);
  }
  return values;
}

/** What `bench` returns: more is said of the benchmark by calls. */
class Chain {
  constructor(one) {
    this.one = one;
    one.options = { ...one.options };
  }

  with(name, values) {
    this.one.options.params = { ...this.one.options.params, [name]: values };
    return this;
  }

  args(name, values) {
    if (typeof name === 'string') {
      return this.with(name, values);
    }
    if (Array.isArray(name)) {
      return this.with('x', name);
    }
    Object.entries(name).forEach(([key, list]) => this.with(key, list));
    return this;
  }

  range(name, from, to, factor) {
    return typeof name === 'string' ? this.with(name, range(from, to, factor)) : this.with('x', range(name, from, to));
  }

  dense_range(name, from, to, step) {
    return typeof name === 'string' ? this.with(name, denseRange(from, to, step)) : this.with('x', denseRange(name, from, to));
  }

  baseline(is = true) {
    this.one.options.baseline = is;
    return this;
  }

  name(name) {
    this.one.name = titleOf(name);
    return this;
  }

  gc() {
    declare.note('mitata\'s `gc` has no effect: collections are part of the time, and are counted');
    return this;
  }

  compact() { return this; }
  highlight() { return this; }
}

/** What a generator of mitata gets. */
const stateOf = (parameters) => ({ get: (name) => parameters[name ?? 'x'] ?? Object.values(parameters)[0] });

/** A name without its places for parameters, which have columns of their own. */
function titleOf(name) {
  return String(name).replace(/\s*\(\$\w+\)|\s*\$\w+/g, '').trim() || String(name);
}

function bench(name, body) {
  const [text, code] = typeof name === 'function' ? [name.name || 'anonymous', name] : [name, body];
  const title = titleOf(text);
  if (!/GeneratorFunction$/.test(code?.constructor?.name)) {
    return new Chain(declare.bench(title, code));
  }
  return new Chain(declare.bench(title, function* (parameters) {
    const generator = code(stateOf(parameters));
    const { value } = generator.next();
    yield bodyOf(value);
    generator.next();
  }));
}

/** The function that is yielded, or one that gets the arguments that stand beside it: `yield { [0]: () => 1, bench: (x) => f(x) }`. */
function bodyOf(yielded) {
  if (typeof yielded === 'function' || typeof yielded?.bench !== 'function') {
    return yielded;
  }
  const sources = Object.keys(yielded).filter((key) => /^\d+$/.test(key)).map((key) => yielded[key]);
  const values = sources.map((source) => (typeof source === 'function' ? source() : source));
  return () => yielded.bench(...values.map(input));
}

/** A group, for itself or with what is said of how it is shown. */
function group(name, code) {
  return typeof name === 'function' ? name() : declare.group(name, code);
}

const shown = (code) => code();

/** Nothing to do: `tare` runs them. */
async function run() {
  return { benchmarks: [], context: {} };
}

/** Measurements of their own, of which `tare` would know nothing, and what shows them. */
const own = allMissing('mitata', ['measure', 'B', '$'], 'declare the function with `bench`');
const flags = { compact: 1, baseline: 2 };

const do_not_optimize = (value) => input(value);

module.exports = {
  ...own, flags, bench, group, run, do_not_optimize, boxplot: shown, barplot: shown, lineplot: shown, summary: shown, compact: shown,
};
