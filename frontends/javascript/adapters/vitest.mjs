import { createRequire } from 'node:module';

export const { bench, describe, suite } = createRequire(import.meta.url)('./vitest.js');
