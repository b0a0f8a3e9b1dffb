// A file written for mitata: only the import differs.

import { bench, group, run } from '@tare/mitata';

group('copy', () => {
  bench('spread $n', function* (state) {
    const list = Array.from({ length: state.get('n') }, (_, i) => i);
    yield () => [...list];
  }).args('n', [10, 1000]).baseline();
  bench('slice $n', function* (state) {
    const list = Array.from({ length: state.get('n') }, (_, i) => i);
    yield () => list.slice();
  }).args('n', [10, 1000]);
});

await run();
