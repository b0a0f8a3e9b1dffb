import { createRequire } from 'node:module';

export const { Bench } = createRequire(import.meta.url)('./tinybench.js');
