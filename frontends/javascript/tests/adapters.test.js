'use strict';
// Files written for other libraries.

const assert = require('node:assert/strict');
const path = require('node:path');
const test = require('node:test');

const { once, place, tare } = require('./place.js');

/** The output of `tare list` for a program. */
const listed = (folder, name) => tare(folder, 'list', '--json', name);

const MITATA = `import { run, bench, group, boxplot, barplot, lineplot, summary, compact, do_not_optimize, measure } from 'mitata';
bench('plain', () => do_not_optimize(2)).gc('inner').compact().highlight('red');
bench(function named() { return 3; });
boxplot(() => { summary(() => {
  bench('from($size)', function* (state) { const size = state.get('size'); yield () => Array.from({ length: size }).length; }).range('size', 1, 64);
}); });
bench('computed $x', function* () { yield { [0]() { return 5; }, bench(a) { return a + 1; } }; }).args('x', [1]);
bench('rows', function* (state) { yield () => state.get('a') + state.get('b'); }).args({ a: [1, 2], b: [10] });
bench('list', async function* (state) { yield () => state.get(); }).args([7]);
bench('dense', function* (state) { yield () => state.get('n'); }).dense_range('n', 1, 3);
bench('old', async () => 4).name('renamed');
compact(() => { barplot(() => { lineplot(() => {
  group('together', () => { bench('first', () => 1).baseline(true); bench('second', () => 2); });
}); }); });
try { measure(() => 1); } catch (error) { bench('measure', () => error.message); }
await run({ format: 'json' });
`;

test('files of mitata run as they are', () => {
  const files = { 'm.bench.mjs': MITATA };
  assert.deepEqual(once(path.join(place(files), 'm.bench.mjs')), {
    plain: '2', named: '3', 'from[size=1]': '1', 'from[size=8]': '8', 'from[size=64]': '64', 'computed[x=1]': '6', 'rows[a=1, b=10]': '11',
    'rows[a=2, b=10]': '12', 'list[x=7]': '7', 'dense[n=1]': '1', 'dense[n=2]': '2', 'dense[n=3]': '3', renamed: '4', 'together/first': '1',
    'together/second': '2', measure: '`measure` of mitata is not there: declare the function with ',
  });
  const told = listed(place(files), 'm.bench.mjs');
  assert.match(told.all, /mitata's `gc` has no effect/);
  assert.match(told.out, /"baseline": ?true/);
});

const TINYBENCH = `import { Bench, now } from 'tinybench';
const steps = [];
const step = (name) => function (...words) { steps.push([name, this?.name, ...words].join(' ')); };
const bench = new Bench({ name: 'simple', time: 100, now, concurrency: 'task', setup: (task, mode) => { steps.push('setup ' + task.name + ' ' + mode); } });
let made = 0;
bench.add('sync', () => made, { beforeEach() { made = 4; } }).add('async', async () => 6);
bench.add('steps', () => steps.slice(-3).join(', '), { beforeAll: step('all'), beforeEach: step('each'), afterEach: step('end'), afterAll: step('end') });
bench.add('removed', () => 0).remove('removed');
bench.addEventListener('cycle', () => {});
await bench.run();
bench.runSync();
console.table(bench.table());
`;

test('files of tinybench run as they are', () => {
  const files = { 't.bench.mjs': TINYBENCH };
  const { 'simple/steps': steps, ...found } = once(path.join(place(files), 't.bench.mjs'));
  assert.deepEqual(found, { 'simple/sync': '4', 'simple/async': '6' });
  assert.match(steps, /setup steps run, all steps run, each steps run$/);
  const told = listed(place(files), 't.bench.mjs');
  assert.match(told.all, /tinybench's options .* have no effect/);
  assert.match(told.all, /`concurrency` has no effect/);
});

const VITEST = `import { bench, describe, suite, beforeAll, afterAll, beforeEach, afterEach, test, expect } from 'vitest';
test('left to vitest', () => expect(1).toBe(1));
let made = [];
beforeAll(() => { made = ['file']; });
describe('sort', () => {
  bench('normal', () => [3, 1].sort(), { time: 100 });
  bench.skip('none', () => 1);
  bench.todo('later');
  bench.skipIf(true)('here', () => 1);
  bench.runIf(true)('there', async () => 2);
  bench('hooks', () => made, { setup() { made.push('own'); } });
  beforeAll(async () => { made.push('group'); });
  beforeEach(() => { made.push('each'); });
  afterEach(() => {});
  afterAll(() => {});
});
describe.skip('left out', () => { bench('a', () => 1); });
describe.todo('planned');
describe.each([[1, 2], [3, 4]])('%i and %i', (a, b) => { bench('sum', () => a + b); });
suite('outer', { timeout: 5 }, () => { describe('inner', () => { bench(function named() {}, () => 5); }); });
`;

test('files of other libraries run as they are, and what is installed keeps its own imports', () => {
  const folder = place({
    'a.bench.mjs': "import { bench, run } from 'mitata';\nimport { own } from 'other';\nbench('x', () => own);\nawait run();\n",
    'b.bench.cjs': "const { Bench } = require('tinybench');\nconst all = new Bench({ name: 'g' });\nall.add('y', () => 2).run();\n",
    'c.bench.mjs': "import {\n  bench,\n  describe,\n} from 'vitest';\ndescribe('h', () => { bench('z', () => 3); });\n",
    'd.test.mjs': "import { test } from 'vitest';\ntest('t', () => {});\n",
    'node_modules/other/package.json': '{"name": "other", "type": "module", "main": "index.js"}',
    'node_modules/other/index.js': "export { own } from 'mitata';\n",
    'node_modules/mitata/package.json': '{"name": "mitata", "type": "module", "main": "index.js"}',
    'node_modules/mitata/index.js': 'export const own = 7;\n',
  });
  const names = tare(folder, 'list', '.').out.trim().split('\n').map((line) => line.split(' ')[0]);
  assert.deepEqual(names.sort(), ['g/y', 'h/z', 'x']);
  assert.match(tare(folder, 'run', 'a.bench.mjs', '--dry').out, /x +ran +7/);
});

test('files of vitest run as they are', () => {
  const files = { 'v.bench.mjs': VITEST, 'only.bench.mjs': `import { bench, describe } from '@tare/vitest';
bench('other', () => 1);
describe.only('chosen', () => { bench('a', () => 2); });
` };
  assert.deepEqual(once(path.join(place(files), 'v.bench.mjs')), {
    'sort/normal': '[1,3]', 'sort/none': 'it is marked `skip`', 'sort/later': 'it is marked `todo`', 'sort/here': 'it is marked `skip`',
    'sort/there': '2', 'sort/hooks': '["file","group","each","own"]', 'left out/a': 'its `describe` is marked `skip`',
    'planned/todo': 'it is marked `todo`', '1 and 2/sum': '3', '3 and 4/sum': '7', 'outer inner/named': '5',
  });
  assert.deepEqual(once(path.join(place(files), 'only.bench.mjs')), { other: 'another benchmark is marked `only`', 'chosen/a': '2' });
  const told = listed(place(files), 'v.bench.mjs').all;
  assert.match(told, /vitest's options .* have no effect/);
  assert.match(told, /tests of vitest are left out/);
});

test('a `describe` of vitest has tables in all their forms', () => {
  const files = { 'a.bench.mjs': `import { bench, describe } from 'vitest';
describe.each\`
  n    | of
  \${10} | \${{ v: 2 }}
  \${20} | \${{ v: 3 }}
\`('sum $n of $of.v', ({ n, of }) => { bench('t', () => n * of.v); });
describe.for([[1, 2], [3, 4]])('row %#', (row) => { bench('r', () => row.length + row[1]); });
describe.skip.each([5])('left %i', (n) => { bench('s', () => n); });
` };
  assert.deepEqual(once(path.join(place(files), 'a.bench.mjs')), {
    'sum 10 of 2/t': '20', 'sum 20 of 3/t': '60', 'row 0/r': '4', 'row 1/r': '6', 'left 5/s': 'its `describe` is marked `skip`',
  });
});

test('a `describe` of vitest may be asynchronous, and one that throws costs itself alone', () => {
  const files = { 'a.bench.mjs': `import { bench, describe } from 'vitest';
const later = (value) => new Promise((resolve) => { setTimeout(() => resolve(value), 5 - value); });
describe('outer', () => {
  describe('first', async () => {
    const one = await later(1);
    bench('a', () => one);
    describe('within', async () => { const two = await later(2); bench('b', () => two); });
    bench('c', () => 3);
  });
  describe('second', () => later(4).then((four) => { bench('d', () => four); }));
  describe('bad', async () => { await later(0); null.x; });
  describe('worse', () => { bnech('e', () => 5); });
  describe.each([[6]])('each %i', async (n) => { await later(0); bench('f', () => n); });
  describe.skip('left', async () => { await later(0); bench('g', () => 1); });
  bench('plain', () => 7);
});
` };
  const found = once(path.join(place(files), 'a.bench.mjs'));
  const { 'outer/bad': bad, 'outer/worse': worse, ...others } = found;
  assert.deepEqual(others, {
    'outer first/a': '1', 'outer first within/b': '2', 'outer first/c': '3', 'outer second/d': '4', 'outer each 6/f': '6',
    'outer left/g': 'its `describe` is marked `skip`', 'outer/plain': '7',
  });
  assert.match(bad, /its function threw while the file was loaded: TypeError/);
  assert.match(worse, /ReferenceError: bnech is not defined; did you mean `bench`\?/);
  // In file order, the same in each process.
  assert.deepEqual(Object.keys(found), ['outer first/a', 'outer first within/b', 'outer first/c', 'outer second/d', 'outer/bad', 'outer/worse',
    'outer each 6/f', 'outer left/g', 'outer/plain']);
});

test('what a file does with results after `run` costs no benchmark', () => {
  const code = "import { Bench } from 'tinybench';\nconst bench = new Bench();\nbench.add('a', () => 1);\n";
  const folder = place({
    'awaited.bench.mjs': `${code}await bench.run();\nconsole.log(bench.tasks[0].result.latency.mean);\n`,
    'beside.bench.mjs': `${code}bench.run().then(() => {\n  console.log(bench.tasks[0].result.latency.mean); });\n`,
  });
  for (const file of ['awaited', 'beside']) {
    const { status, out, all } = tare(folder, 'list', `${file}.bench.mjs`);
    assert.equal(status, 0, all);
    assert.equal(out, 'a\n');
    assert.match(all, new RegExp(`threw behind its call of \`run\`, ${file}.bench.mjs:5: Cannot read properties of undefined`));
  }
});
