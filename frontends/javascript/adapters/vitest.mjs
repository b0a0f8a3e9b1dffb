import { createRequire } from 'node:module';

export const {
  bench, describe, suite, beforeAll, beforeEach, afterAll, afterEach, test, it, expect, vi, vitest,
  assert, chai, should, createExpect, inject, expectTypeOf, assertType, onTestFailed, onTestFinished,
} = createRequire(import.meta.url)('./vitest.js');
