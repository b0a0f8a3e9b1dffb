'use strict';
// The measuring loops and the two probes. A loop is made for each benchmark, with a text of its own: V8 shares what it has learnt of
// calls between functions of the same text, and a loop that has seen several bodies calls each of them three times as slowly.

const { keepAsItIs, compileNow } = require('./machine.js');

/** What becomes of results. The optimiser cannot tell who reads it. */
const sink = { v: undefined };
globalThis[Symbol.for('tare.sink')] = sink;

let made = 0;

/** How a loop calls the body. */
const CALLS = {
  plain: { head: 'function', one: 'sink.v = f(s);', end: '' },
  awaited: { head: 'async function', one: 'sink.v = await f(s);', end: '' },
  own: { head: 'function', one: 't += f(s);', end: 'return t;' },
  'own-awaited': { head: 'async function', one: 't += await f(s);', end: 'return t;' },
};

/** A loop that runs a body so many times. One call per turn: several copies of a body may be inlined differently. */
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

/** Gives a value back. The optimiser cannot tell which one, and so cannot compute with it beforehand. */
function input(value) {
  turn ^= 1;
  opaque[turn] = value;
  opaque[turn ^ 1] = value;
  return opaque[turn & 1];
}

/** Milliseconds since the start of the process, as fractions: no object is made for a reading. */
const now = performance.now.bind(performance);

const PROBE_CYCLES = 32768;
/** Twice as many as in native code: the way to the clock is longer, and colder after a window, by up to 0.1 µs. */
const WIDTH_ADDITIONS = 28800;
/** Numbers that the optimiser does not know. */
const numbers = new Int32Array([3, 5, 7, 11, 13, 17, 19]);
const results = new Int32Array(1);

/** Dependent additions of one cycle each, of a number that is not a constant. */
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

/** Independent additions and exclusive ors: as many at a time as the core can do. */
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

/** Nanoseconds that the clock probe takes. */
function probeNs() {
  // The way to the clock is cold after a pause.
  now();
  chain(64);
  const begin = now();
  chain(PROBE_CYCLES);
  return (now() - begin) * 1e6;
}

/** Compiles both probes, each by itself: within another function they would be other code. */
function warmProbes() {
  compileNow(chain, () => chain(PROBE_CYCLES));
  compileNow(width, width);
}

/** The least time of the clock probe that a core can need, ns: one cycle a step, at 8 GHz. What takes less was computed beforehand. */
const PROBE_MIN_NS = PROBE_CYCLES / 8;

/** Whether the clock probe does its steps; there are compilers that add them up (that of Bun). */
function hasProbe() {
  return probeNs() >= PROBE_MIN_NS;
}

keepAsItIs(probeNs);

module.exports = { sink, loopOf, empty, input, now, chain, width, probeNs, hasProbe, warmProbes, PROBE_CYCLES, WIDTH_ADDITIONS };
