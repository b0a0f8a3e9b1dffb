import { createRequire } from 'node:module';

export const { Bench, Task } = createRequire(import.meta.url)('./tinybench.js');
