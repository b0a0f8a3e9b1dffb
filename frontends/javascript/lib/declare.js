'use strict';
// The declarations of a program, and the list of benchmarks from them: one for each combination of parameters.

const { Array, JSON, Math, Number, Object, String } = require('./own.js');
const { textOf } = require('./text.js');
const { hintFor, nearest } = require('./hints.js');
const { placeIn } = require('./place.js');

const OPTIONS = new Set([
  'baseline', 'params', 'setup', 'teardown', 'iterationSetup', 'iterationTeardown', 'operations', 'iterationOperations', 'unit', 'bytes',
  'rates', 'skip', 'only', 'categories', 'diagnose', 'description', 'coldStart', 'monitoring', 'waits', 'awaits', 'threads', 'resultsChange', 'resultsDiffer', 'invocationsMax',
  'ownTime', 'visitTime',
]);
/** Former names of options. */
const RENAMED = {
  strategy: '`coldStart: true` or `monitoring: true`', results: '`resultsChange: true` or `resultsDiffer: true`', maxInvocations: '`invocationsMax`',
  visitMs: '`visitTime`, in seconds',
};

/** All benchmarks, with their positions in the order of declaration. */
const declared = [];
/** The group being declared: names from the outermost group inwards, its position in the order, and the number of positions used in it. */
let current = { groups: [], order: [], count: 0 };
/** Groups whose declaration is deferred, in order. */
const queue = [];
/** Values of parameters set by the host, as text. */
const given = new Map();

/** Notes for the user about the declarations, one line each. */
const notes = new Set();

function note(text) {
  notes.add(text);
}

function withdraw(one) {
  const at = declared.indexOf(one);
  if (at >= 0) {
    declared.splice(at, 1);
  }
}

/** An error in a declaration, or null. */
function problem(name, body, options) {
  if (typeof name !== 'string' || name === '') {
    return 'a benchmark needs a name: `bench(name, function)`';
  }
  if (typeof body !== 'function') {
    return `the body of \`${name}\` is not a function: \`bench(name, function)\``;
  }
  if (typeof options !== 'object' || options === null) {
    return 'options are an object: `bench(name, function, { baseline: true })`';
  }
  for (const option of Object.keys(options)) {
    if (!OPTIONS.has(option)) {
      const meant = nearest(option, [...OPTIONS]);
      const advice = Object.hasOwn(RENAMED, option) ? `it is called ${RENAMED[option]}` : meant ? `did you mean \`${meant}\`?` : `there are: ${[...OPTIONS].join(', ')}`;
      return `there is no option \`${option}\`; ${advice}`;
    }
  }
  for (const step of ['setup', 'teardown', 'iterationSetup', 'iterationTeardown', 'iterationOperations']) {
    if (options[step] !== undefined && typeof options[step] !== 'function') {
      return `\`${step}\` is not a function`;
    }
  }
  if (options.coldStart && options.monitoring) {
    return 'it has both `coldStart` and `monitoring`';
  }
  const isCount = (value) => Number.isInteger(value) && value >= 1;
  for (const option of ['operations', 'invocationsMax']) {
    const value = options[option];
    if (value !== undefined && !isCount(value) && !(option === 'operations' && typeof value === 'function')) {
      return `\`${option}\` is a whole number of at least 1${option === 'operations' ? ', or a function that returns one' : ''}`;
    }
  }
  for (const option of ['categories', 'diagnose']) {
    if (options[option] !== undefined && !Array.isArray(options[option])) {
      return `\`${option}\` needs a list: \`${option}: [${JSON.stringify(options[option])}]\``;
    }
  }
  for (const [parameter, values] of Object.entries(options.params ?? {})) {
    if (!Array.isArray(values) || values.length === 0) {
      return `the parameter \`${parameter}\` needs a list of values: \`params: { ${parameter}: [1, 2] }\``;
    }
  }
  return null;
}

/**
 * Declares a benchmark. The body gets the result of `setup`, or the parameters if there is no `setup`. Its result is kept from being
 * optimised away. A generator sets up, yields the body, and is resumed for the clean-up.
 */
function bench(name, body, options = {}) {
  if (typeof body !== 'function' && typeof options === 'function') {
    [body, options] = [options, body];
  }
  let invalid = problem(name, body, options);
  const text = typeof name === 'string' ? name : String(name);
  const { groups } = current;
  const cut = groups.length === 0 ? text.lastIndexOf('/') : -1;
  const group = groups.length === 0 ? text.slice(0, Math.max(cut, 0)) : groups.join(' ');
  const own = text.slice(cut + 1);
  if (own === '') {
    invalid ??= 'a benchmark needs a name';
  }
  const one = { group, name: own || '?', body, options: typeof options === 'object' && options !== null ? options : {}, invalid, ...placeIn(new Error()), order: next() };
  declared.push(one);
  return one;
}

bench.skip = (name, body, options = {}) => bench(name, body, { ...options, skip: options.skip || 'it is marked `skip`' });
bench.only = (name, body, options = {}) => bench(name, body, { ...options, only: true });

function next() {
  current.count += 1;
  return [...current.order, current.count];
}

function isEarlier(one, other) {
  const at = one.findIndex((place, depth) => place !== other[depth]);
  return at < 0 ? -1 : one[at] - (other[at] ?? 0);
}

const inner = (name) => ({ groups: [...current.groups, String(name)], order: next(), count: 0 });

/** Declares a group: the benchmarks declared by `declare` are compared with each other. */
function group(name, declare) {
  const outer = current;
  current = inner(name);
  try {
    const result = declare();
    if (result && typeof result.then === 'function') {
      throw new TypeError(`the function of \`group('${name}', ...)\` must not be asynchronous`);
    }
  } finally {
    current = outer;
  }
}

/** The same, deferred until the file is loaded, for a function that may be asynchronous. */
function groupLater(name, declare) {
  queue.push({ group: inner(name), declare, ...placeIn(new Error()) });
}

/** Runs deferred declarations. If a function throws, only what it had not declared yet is lost. */
async function settled() {
  const outer = current;
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    current = one.group;
    try {
      await one.declare();
    } catch (error) {
      const { groups, order } = one.group;
      const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const hint = hintFor(error);
      const invalid = `its function threw while the file was loaded: ${what}${hint === undefined ? '' : `; ${hint}`}`;
      const { file, line } = one;
      declared.push({ group: groups.slice(0, -1).join(' '), name: groups.at(-1) || '?', body: undefined, options: {}, invalid, file, line, order });
    }
  }
  current = outer;
}

function typeOf(value) {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'float';
    case 'bigint':
      return 'integer';
    case 'boolean':
      return 'boolean';
    default:
      return 'text';
  }
}

/** The text of a parameter's value; values without one are numbered. */
function parameterText(value, place) {
  return textOf(value) ?? (typeof value === 'function' && value.name ? value.name : `#${place + 1}`);
}

/** The values of a parameter with their texts. Duplicates count once; different values with the same text are numbered. */
function named(values) {
  const found = [];
  values.forEach((value, place) => {
    const base = parameterText(value, place);
    let text = base;
    for (let number = 2; ; number += 1) {
      const known = found.find((one) => one.text === text);
      if (!known) {
        found.push({ value, text });
        return;
      }
      if (isSame(known.value, value)) {
        return;
      }
      text = `${base} (${number})`;
    }
  });
  return found;
}

function isSame(one, other) {
  return Object.is(one, other) || (typeof one === typeof other && textOf(one) !== null && textOf(other) !== null);
}

/** Parses a value set by the host as the type of the declared values. */
function read(parameter, values, text) {
  const known = named(values).find((one) => one.text === text);
  if (known) {
    return known.value;
  }
  const types = new Set(values.map(typeOf));
  const wanted = types.has('text') ? 'text' : types.has('float') ? 'float' : values.some((value) => typeof value === 'bigint') ? 'bigint' : [...types][0];
  const refuse = (kind) => {
    throw new RangeError(`${parameter} is ${kind}, and ${JSON.stringify(text)} is not`);
  };
  switch (wanted) {
    case 'integer':
      return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : refuse('a whole number');
    case 'bigint':
      return /^-?\d+$/.test(text) ? BigInt(text) : refuse('a whole number');
    case 'float':
      return text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : refuse('a number');
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : refuse('true or false');
    default:
      return values.every((value) => typeof value === 'string') ? text : refuse(`one of ${values.map(parameterText).join(', ')}`);
  }
}

/** Replaces the declared values by these. Returns the number of benchmarks that have the parameter. */
function set(parameter, texts) {
  const having = declared.filter((one) => !one.invalid && Object.hasOwn(one.options.params ?? {}, parameter));
  for (const one of having) {
    texts.forEach((text) => read(parameter, one.options.params[parameter], text));
  }
  if (having.length > 0) {
    given.set(parameter, texts);
  }
  return having.length;
}

/** All combinations of the values, the last parameter first. */
function combinations(params) {
  let found = [[]];
  for (const [name, values] of Object.entries(params)) {
    const chosen = given.has(name) ? given.get(name).map((text) => read(name, values, text)) : values;
    const all = named(chosen).map(({ value, text }) => ({ name, value, text, type: typeOf(value) }));
    found = found.flatMap((begun) => all.map((one) => [...begun, one]));
  }
  return found;
}

/** Every benchmark with its parameters filled in. */
function cases() {
  const hasOnly = declared.some((one) => one.options.only);
  const names = new Set();
  const all = [];
  declared.sort((one, other) => isEarlier(one.order, other.order));
  for (const one of declared) {
    for (const parameters of one.invalid ? [[]] : combinations(one.options.params ?? {})) {
      const key = JSON.stringify([one.group, one.name, parameters.map((p) => [p.name, p.text])]);
      const twice = names.has(key) ? `there is another benchmark \`${one.name}\` in the group: give it another name` : null;
      names.add(key);
      const apart = hasOnly && !one.options.only ? 'another benchmark is marked `only`' : null;
      all.push({ ...one, parameters, key, invalid: one.invalid ?? twice, apart });
    }
  }
  return all;
}

let isRun = false;

/** The file has called `run` of a library: what it does then is about results, and there are none yet. */
const ran = () => { isRun = true; };
const hasRun = () => isRun;

module.exports = { bench, group, groupLater, settled, cases, set, note, notes, withdraw, ran, hasRun };
