'use strict';
// The measuring loops and the two probes. Each benchmark gets a loop with a unique text: V8 shares call feedback between functions with
// the same text, and a loop that has seen several bodies calls each of them three times as slowly.

const { keepAsItIs, compileNow, now } = require('./machine.js');

/** Holds results. The optimiser cannot tell who reads it. */
const sink = { v: undefined };
globalThis[Symbol.for('tare.sink')] = sink;

let made = 0;

const CALLS = {
  plain: { head: 'function', one: 'sink.v = f(s);', end: '' },
  awaited: { head: 'async function', one: 'sink.v = await f(s);', end: '' },
  own: { head: 'function', one: 't += f(s);', end: 'return t;' },
  'own-awaited': { head: 'async function', one: 't += await f(s);', end: 'return t;' },
};

/** Makes a loop that runs a body a number of times, with one call per turn, because copies of a body may be inlined differently. */
function loopOf(kind) {
  const { head, one, end } = CALLS[kind];
  made += 1;
  const text = `'use strict'; return ${head} loop(n, f, s) { /* ${process.pid} ${made} */ let t = 0; for (let i = n; i > 0; i -= 1) { ${one} } ${end} }`;
  return new Function('sink', text)(sink);
}

/** The body of the loop `overhead`. */
function empty() {
  made += 1;
  return new Function(`return function nothing() { /* ${process.pid} ${made} */ }`)();
}

const opaque = [undefined, undefined];
let turn = 0;

/** Returns `value` unchanged, but hides it from the optimiser, which therefore cannot precompute with it. */
function input(value) {
  turn ^= 1;
  opaque[turn] = value;
  opaque[turn ^ 1] = value;
  return opaque[turn & 1];
}

const PROBE_CYCLES = 32768;
/** Twice as many as in native code, because reading the clock takes longer, and up to 0.1 µs longer still after a window. */
const WIDTH_ADDITIONS = 28800;
/** Numbers unknown to the optimiser. */
const numbers = new Int32Array([3, 5, 7, 11, 13, 17, 19]);
const results = new Int32Array(1);

/** Dependent additions, one cycle each, with an addend that is not constant. */
function chain(steps) {
  const k = numbers[0] | 0;
  let x = numbers[1] | 0;
  for (let i = steps >> 5; i > 0; i -= 1) {
    x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0;
    x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0;
    x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0;
    x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0; x = (x + k) | 0;
  }
  results[0] = x;
}

/** Independent additions and exclusive ors, as many at a time as the core can execute. */
function width() {
  const k = numbers[0] | 0;
  let a = numbers[1] | 0, b = numbers[2] | 0, c = numbers[3] | 0, d = numbers[4] | 0, e = numbers[5] | 0, f = numbers[6] | 0;
  for (let i = WIDTH_ADDITIONS / 48; i > 0; i -= 1) {
    a = (a + k) | 0; b = (b + k) | 0; c = (c + k) | 0; d = (d + k) | 0; e = (e + k) | 0; f = (f + k) | 0;
    a = a ^ k; b = b ^ k; c = c ^ k; d = d ^ k; e = e ^ k; f = f ^ k;
    a = (a + k) | 0; b = (b + k) | 0; c = (c + k) | 0; d = (d + k) | 0; e = (e + k) | 0; f = (f + k) | 0;
    a = a ^ k; b = b ^ k; c = c ^ k; d = d ^ k; e = e ^ k; f = f ^ k;
    a = (a + k) | 0; b = (b + k) | 0; c = (c + k) | 0; d = (d + k) | 0; e = (e + k) | 0; f = (f + k) | 0;
    a = a ^ k; b = b ^ k; c = c ^ k; d = d ^ k; e = e ^ k; f = f ^ k;
    a = (a + k) | 0; b = (b + k) | 0; c = (c + k) | 0; d = (d + k) | 0; e = (e + k) | 0; f = (f + k) | 0;
    a = a ^ k; b = b ^ k; c = c ^ k; d = d ^ k; e = e ^ k; f = f ^ k;
  }
  results[0] = a + b + c + d + e + f;
}

/** The time of the clock probe in nanoseconds. */
function probeNs() {
  // The code that reads the clock is cold after a pause.
  now();
  chain(64);
  const begin = now();
  chain(PROBE_CYCLES);
  return (now() - begin) * 1e6;
}

/** Compiles both probes separately; inlined into another function, their code would differ. */
function warmProbes() {
  compileNow(chain, () => chain(PROBE_CYCLES));
  compileNow(width, width);
}

/** The minimum time of the clock probe on any core in ns: one cycle per step at 8 GHz. A shorter time means that it was precomputed. */
const PROBE_MIN_NS = PROBE_CYCLES / 8;

/** Whether the clock probe executes all its steps; some compilers (Bun's) combine them. */
function hasProbe() {
  return probeNs() >= PROBE_MIN_NS;
}

keepAsItIs(probeNs);

module.exports = { sink, loopOf, empty, input, now, width, probeNs, hasProbe, warmProbes, PROBE_CYCLES, WIDTH_ADDITIONS };
