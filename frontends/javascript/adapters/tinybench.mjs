import { createRequire } from 'node:module';

export const {
  Bench, Task, now, hrtimeNow, nToMs, mToNs,
} = createRequire(import.meta.url)('./tinybench.js');
