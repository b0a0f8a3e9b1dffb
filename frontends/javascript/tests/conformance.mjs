// The conformance benchmarks (spec/protocol.md, section 8). Started directly, because import hooks would take a third of its time.

import { bench, group, main, once } from '../index.mjs';

const trace = [];
const inProcess = { 'cold-start': 0, monitoring: 0 };

function leave(letter, throws = '') {
  if (trace.length < 1000) {
    trace.push(letter);
  }
  if (letter === throws) {
    throw new Error('it throws');
  }
}

function steps(throws) {
  return {
    setup: () => leave('S', throws),
    iterationSetup: () => leave('s', throws),
    iterationTeardown: () => leave('c', throws),
    teardown: () => leave('C', throws),
  };
}

function additions(count) {
  return (state) => {
    let sum = state.from;
    for (let i = 0; i < count; i += 1) {
      sum = (sum + state.step) | 0;
    }
    return sum;
  };
}

const THROWS = { 'set-up': 'S', 'iteration-set-up': 's', body: 'b', 'iteration-clean-up': 'c', 'clean-up': 'C' };
const TEXTS = {
  integer: -42, big: 18446744073709551615n, float: 0.1, whole: 2, exponent: 1e21, true: true, text: '\u00e4 "\t', long: '\u00e4'.repeat(300),
  list: [1, 2, 3], texts: ['a', '"\n'], nothing: undefined,
};

group('conformance', () => {
  bench('count', (state) => (state.count += 1), { setup: () => ({ count: 0 }), resultsChange: true });
  for (const [strategy, option] of [['cold-start', { coldStart: true }], ['monitoring', { monitoring: true }]]) {
    bench(strategy, () => (inProcess[strategy] += 1), { ...option, resultsChange: true });
  }
  const body = (throws) => () => {
    leave('b', throws);
    return trace.join('');
  };
  bench('trace', body(), { ...steps(), resultsChange: true });
  for (const [step, letter] of Object.entries(THROWS)) {
    bench(`throws-${step}`, body(letter), { ...steps(letter), resultsChange: true });
  }
  bench('operations', (state) => state.found, { setup: () => ({ found: 12 }), operations: (state) => state.found });
  bench('iteration-operations', (state) => state.found, {
    setup: () => ({ found: 0 }), iterationSetup: (state) => { state.found += 1; }, iterationOperations: (state) => state.found, resultsChange: true,
  });
  bench('once', (maker) => maker, { setup: () => once('maker', () => String(process.pid)) });
  bench('parameter', ({ n }) => n, { params: { n: [7] } });
  for (const times of [1, 8]) {
    bench(`cost-${times}`, additions(100 * times), { setup: () => ({ from: 3, step: 5 }) });
  }
  for (const [name, value] of Object.entries(TEXTS)) {
    bench(`text-${name}`, () => value);
  }
});

await main();
