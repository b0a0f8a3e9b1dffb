// The entry point for modules: `import { bench, group } from 'tare'`. Both entry points share one list of benchmarks.

import { createRequire } from 'node:module';

export const { bench, group, input, once, main } = createRequire(import.meta.url)('./index.js');
