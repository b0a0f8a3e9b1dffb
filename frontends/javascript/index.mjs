// What a module with benchmarks needs: `import { bench, group } from 'tare'`. Both forms share one list of benchmarks.

import { createRequire } from 'node:module';

export const { bench, group, input, once, main } = createRequire(import.meta.url)('./index.js');
