// Set-ups in each process, before each iteration, and once per run. A generator does it all in one function.

import fs from 'node:fs';
import path from 'node:path';
import { bench, once } from 'tare';

bench('read/lines', (file) => fs.readFileSync(file, 'utf8').split('\n').length, {
  setup: () => once('lines', (folder) => {
    const file = path.join(folder, 'lines.txt');
    fs.writeFileSync(file, 'a line of text\n'.repeat(1000));
    return file;
  }),
  bytes: 15_000,
});

bench('queue/shift', (queue) => queue.shift(), {
  setup: () => [],
  iterationSetup: (queue) => { queue.length = 0; queue.push(...Array(1000).keys()); },
  invocationsMax: 1000,
  resultsChange: true,
});

bench('map/get', function* () {
  const map = new Map(Array.from({ length: 1000 }, (_, i) => [`key ${i}`, i]));
  const keys = [...map.keys()];
  let next = 0;
  yield () => map.get(keys[(next = (next + 7) % 1000)]);
  map.clear();
}, { resultsChange: true });
