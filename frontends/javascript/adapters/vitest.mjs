import { createRequire } from 'node:module';

export const {
  bench, describe, suite, beforeAll, beforeEach, afterAll, afterEach, test, it, expect, vi,
} = createRequire(import.meta.url)('./vitest.js');
