'use strict';
// Runs benchmarks written for vitest: this module replaces it in `import { bench, describe } from 'vitest'`.

const { format } = require('node:util');
const declare = require('../lib/declare.js');
const { allMissing } = require('../lib/missing.js');

/** Options about how much to measure. */
const AMOUNTS = ['time', 'iterations', 'warmupTime', 'warmupIterations', 'throws', 'signal', 'now'];

/** The state shared by all benchmarks of a `describe`: its hooks, and whether it is skipped. */
const newScope = () => ({ before: [], after: [], skip: undefined, only: false });
/** The scopes being declared; the first one is the file's. */
let scopes = [newScope()];

function optionsOf(options = {}) {
  const given = typeof options === 'number' ? { time: options } : options;
  if (AMOUNTS.some((option) => given[option] !== undefined)) {
    declare.note('vitest\'s options of `bench` (time, iterations, ...) have no effect: `tare` decides how much to measure');
  }
  const around = [...scopes];
  const run = async (hooks) => {
    for (const hook of hooks) {
      await hook();
    }
  };
  return {
    // Hooks may be declared after the benchmarks they belong to.
    async setup() {
      await run(around.flatMap((scope) => scope.before));
      await given.setup?.(undefined, 'run');
    },
    async teardown() {
      await given.teardown?.(undefined, 'run');
      await run([...around].reverse().flatMap((scope) => scope.after));
    },
    ...(around.some((scope) => scope.skip) ? { skip: around.find((scope) => scope.skip).skip } : {}),
    ...(around.some((scope) => scope.only) ? { only: true } : {}),
  };
}

const nameOf = (name) => (typeof name === 'function' ? name.name || 'anonymous' : name);

const bench = (name, code, options) => { declare.bench(nameOf(name), () => code(), optionsOf(options)); };
bench.skip = (name, code, options) => { declare.bench.skip(nameOf(name), () => code(), optionsOf(options)); };
bench.only = (name, code, options) => { declare.bench.only(nameOf(name), () => code(), optionsOf(options)); };
bench.todo = (name) => { declare.bench.skip(nameOf(name), () => undefined, { skip: 'it is marked `todo`' }); };
bench.skipIf = (condition) => (condition ? bench.skip : bench);
bench.runIf = (condition) => (condition ? bench : bench.skip);

/** `describe(name, code)`, `describe(name, options, code)`. */
function within(marks) {
  return (name, ...rest) => {
    const code = rest.find((one) => typeof one === 'function') ?? (() => bench.todo('todo'));
    const around = [...scopes, { ...newScope(), ...marks }];
    // Like vitest: runs when the file has been loaded, and is awaited.
    declare.groupLater(nameOf(name), () => {
      scopes = around;
      return code();
    });
  };
}

/** The rows of a list, or of a tagged template whose first line names the columns. */
function rowsOf(table, values) {
  if (!table?.raw) {
    return table;
  }
  const names = table[0].trim().split('|').map((name) => name.trim());
  const row = (at) => Object.fromEntries(names.map((name, column) => [name, values[at + column]]));
  return values.map((_, at) => at).filter((at) => at % names.length === 0).map(row);
}

/** The value at `a.b` of a row, or `text` if there is none. */
function valueAt(row, text, keys) {
  const value = keys.split('.').reduce((within, key) => within?.[key], row);
  return value === undefined ? text : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `describe.each` spreads a row that is a list; `describe.for` does not. */
function withTables(describe) {
  const of = (spread) => (table, ...cells) => (name, ...rest) => rowsOf(table, cells).forEach((row, place) => {
    const values = Array.isArray(row) ? row : [row];
    const text = nameOf(name).replace(/%#/g, String(place)).replace(/\$([\w.]*\w)/g, (all, keys) => valueAt(row, all, keys));
    // Values that the name does not show are not appended to it.
    const shown = values.slice(0, (text.match(/%[sdifjoO]/g) ?? []).length);
    const code = rest.find((one) => typeof one === 'function');
    describe(format(text, ...shown), () => code(...(spread ? values : [row])));
  });
  describe.each = of(true);
  describe.for = of(false);
  return describe;
}

const describe = withTables(within({}));
describe.skip = withTables(within({ skip: 'its `describe` is marked `skip`' }));
describe.only = withTables(within({ only: true }));
describe.todo = within({ skip: 'its `describe` is marked `todo`' });
describe.skipIf = (condition) => (condition ? describe.skip : describe);
describe.runIf = (condition) => (condition ? describe : describe.skip);
for (const same of ['concurrent', 'sequential', 'shuffle']) {
  describe[same] = describe;
}

/** A hook of the current `describe`. A process measures one benchmark, so hooks for each test and for all tests are the same. */
const before = (code) => { scopes.at(-1).before.push(code); };
const after = (code) => { scopes.at(-1).after.unshift(code); };

/** Tests are allowed in the file, but are left to vitest. */
const test = () => declare.note('tests of vitest are left out: `tare` runs benchmarks');
for (const mark of ['skip', 'only', 'todo', 'concurrent', 'sequential', 'fails']) {
  test[mark] = test;
}
for (const mark of ['each', 'for', 'skipIf', 'runIf', 'extend']) {
  test[mark] = () => test;
}

const ofTests = allMissing('vitest', [
  'expect', 'vi', 'vitest', 'assert', 'chai', 'should', 'createExpect', 'inject', 'expectTypeOf', 'assertType', 'onTestFailed', 'onTestFinished',
], 'keep what needs it in a file of tests');

module.exports = {
  ...ofTests, test, it: test, bench, describe, suite: describe, beforeAll: before, beforeEach: before, afterAll: after, afterEach: after,
};
