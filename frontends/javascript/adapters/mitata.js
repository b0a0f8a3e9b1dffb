'use strict';
// Runs benchmarks written for mitata: this module replaces it in `import { bench, run } from 'mitata'`.

const declare = require('../lib/declare.js');
const { input } = require('../lib/loop.js');
const { allMissing } = require('../lib/missing.js');

/** The values of a range: `range('n', 1, 1024)` yields 1, 8, 64, 512, 1024. */
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

/** The return value of `bench`, whose methods set options of the benchmark. */
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

/** The argument of a mitata generator. */
const stateOf = (parameters) => ({ get: (name) => parameters[name ?? 'x'] ?? Object.values(parameters)[0] });

/** A name without its placeholders for parameters, which have their own columns. */
function titleOf(name) {
  return String(name).replace(/\s*\(\$\w+\)|\s*\$\w+/g, '').trim() || String(name);
}

function bench(name, body) {
  const [text, code] = typeof name === 'function' ? [name.name || 'anonymous', name] : [name, body];
  const title = titleOf(text);
  if (!/GeneratorFunction$/.test(code?.constructor?.name)) {
    return new Chain(declare.bench(title, code));
  }
  return new Chain(declare.bench(title, async function* (parameters) {
    const generator = code(stateOf(parameters));
    const { value } = await generator.next();
    yield bodyOf(value);
    await generator.next();
  }));
}

/** The yielded function, or one that gets the arguments yielded with it: `yield { [0]: () => 1, bench: (x) => f(x) }`. */
function bodyOf(yielded) {
  if (typeof yielded === 'function' || typeof yielded?.bench !== 'function') {
    return yielded;
  }
  const sources = Object.keys(yielded).filter((key) => /^\d+$/.test(key)).map((key) => yielded[key]);
  const values = sources.map((source) => (typeof source === 'function' ? source() : source));
  return () => yielded.bench(...values.map(input));
}

/** Declares a group. Without a name, it only runs the function. */
function group(name, code) {
  return typeof name === 'function' ? name() : declare.group(name, code);
}

const shown = (code) => code();

/** Does nothing: `tare` runs the benchmarks. */
async function run() {
  declare.ran();
  return { benchmarks: [], context: {} };
}

/** mitata's own measurements and their display, which `tare` could not record. */
const own = allMissing('mitata', ['measure', 'B', '$'], 'declare the function with `bench`');
const flags = { compact: 1, baseline: 2 };

const do_not_optimize = (value) => input(value);

module.exports = {
  ...own, flags, bench, group, run, do_not_optimize, boxplot: shown, barplot: shown, lineplot: shown, summary: shown, compact: shown,
};
