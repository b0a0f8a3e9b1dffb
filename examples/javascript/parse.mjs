// How long does it take to parse an integer? The text comes from the state, so V8 cannot compute the result in advance.
//
//   tare run examples/javascript/parse.mjs

import { bench, group } from 'tare';

group('parse', () => {
  const setup = () => ({ text: '123456789' });
  bench('number', ({ text }) => Number(text), { setup, baseline: true });
  bench('parseInt', ({ text }) => parseInt(text, 10), { setup });
  bench('by hand', ({ text }) => {
    let value = 0;
    for (let i = 0; i < text.length; i += 1) {
      value = value * 10 + text.charCodeAt(i) - 48;
    }
    return value;
  }, { setup });
});
