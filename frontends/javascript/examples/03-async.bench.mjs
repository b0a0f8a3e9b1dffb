// Bodies that return promises, and a file with top-level `await`.

import { bench } from 'tare';

const { promisify } = await import('node:util');
const { gzip } = await import('node:zlib');

bench('await/nothing', async () => 1, { baseline: true });
bench('await/twice', async () => { await null; return 1; });
bench('zip/text', (text) => promisify(gzip)(text).then((zipped) => zipped.length), {
  setup: () => Buffer.from('some text that repeats '.repeat(100)),
  bytes: 2300,
  threads: 0,
});
