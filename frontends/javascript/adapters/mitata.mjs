import { createRequire } from 'node:module';

export const {
  bench, group, run, measure, do_not_optimize, boxplot, barplot, lineplot, summary, compact, flags, B, $,
} = createRequire(import.meta.url)('./mitata.js');
