import { createRequire } from 'node:module';

export const {
  bench, describe, suite, beforeAll, beforeEach, afterAll, afterEach,
} = createRequire(import.meta.url)('./vitest.js');
