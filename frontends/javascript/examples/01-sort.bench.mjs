// A group with a baseline, and a parameter.

import { bench, group } from 'tare';

group('sort', () => {
  const setup = ({ n }) => Array.from({ length: n }, (_, i) => (i * 7919) % n);
  const params = { n: [10, 1000] };
  bench('numbers', (xs) => xs.slice().sort((a, b) => a - b), { params, setup, baseline: true });
  bench('typed', (xs) => Int32Array.from(xs).sort(), { params, setup });
});
