'use strict';
// Tests of the front end: by itself, and through `tare`. Prints `N passed, N failed`.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const FRONT_END = path.dirname(__dirname);
const ROOT = path.join(FRONT_END, '..', '..');
const TARE = process.env.TARE_PROGRAM;
const { textOf, digestOf, beginning } = require('../lib/text.js');
const { stacksOf, listingOf } = require('../lib/diagnose.js');

const tests = [];
const test = (name, code) => tests.push({ name, code });

/** A folder of its own with these files. */
function place(files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tare-javascript-'));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(folder, program, ...words) {
  const environment = { ...process.env, XDG_CACHE_HOME: path.join(folder, '.cache') };
  const done = spawnSync(program, words, { cwd: folder, encoding: 'utf8', env: environment });
  assert.strictEqual(done.error, undefined);
  return { status: done.status, out: done.stdout, all: done.stdout + done.stderr };
}

const tare = (folder, ...words) => run(folder, TARE, ...words);

test('texts and digests are those of the other languages', () => {
  const bits = (hex) => Buffer.from(hex, 'hex').readDoubleBE();
  const text = (hex) => (hex === '-' ? '' : Buffer.from(hex, 'hex').toString('utf8'));
  const KINDS = {
    integer: BigInt, float: bits, text, boolean: (value) => value === 'true',
  };
  let seen = 0;
  for (const line of fs.readFileSync(path.join(ROOT, 'spec', 'digests.txt'), 'utf8').split('\n')) {
    const [kind, value, digest, shown] = line.split('\t');
    if (line.startsWith('#') || !Object.hasOwn(KINDS, kind) || shown === undefined) {
      continue;
    }
    // Bytes that are not UTF-8 are no text of JavaScript.
    if (kind === 'text' && Buffer.from(text(value), 'utf8').toString('hex') !== value.replace('-', '')) {
      continue;
    }
    seen += 1;
    const own = textOf(KINDS[kind](value));
    assert.strictEqual(digestOf(own), digest, line);
    assert.strictEqual(own, JSON.parse(shown), line);
  }
  assert.ok(seen > 30, `${seen} lines`);
  assert.strictEqual(textOf([1, 'a', [true, null]]), '[1,"a",[true,null]]');
  assert.strictEqual(textOf(new Map([[1, 'x']])), '[[1,"x"]]');
  assert.strictEqual(textOf(Uint8Array.of(1, 255)), '[1,255]');
  assert.strictEqual(textOf(-0), '0');
  assert.strictEqual(textOf('\ud800'), '\ufffd');
  assert.strictEqual(textOf({ a: [1n], b: undefined }), '{"a":[1],"b":null}');
  for (const none of [undefined, null, () => 1, Symbol('x'), new (class Own {})(), [Symbol('x')]]) {
    assert.strictEqual(textOf(none), null);
  }
  const cyclic = { in: [] };
  cyclic.in.push(cyclic);
  for (const none of [cyclic, { toString() { throw new Error('asked'); } }, new Proxy({}, { get() { throw new Error('asked'); } })]) {
    assert.strictEqual(textOf(none), null);
  }
  assert.strictEqual(beginning('\u{1f600}'.repeat(3), 2), '\u{1f600}\u{1f600}');
});

test('the front end conforms to the protocol', () => {
  const folder = place({});
  // What is slow is 100,000 measurements at once, and R16 is seen in times.
  const [flags, passed] = process.env.TARE_TEST_LONG ? [['--'], 26] : [['--quick', '--'], 25];
  const done = tare(folder, 'conformance', ...flags, 'node', path.join(FRONT_END, 'start.js'), path.join(__dirname, 'conformance.mjs'));
  assert.strictEqual(done.status, 0, done.all);
  assert.match(done.out, new RegExp(`${passed} passed, 0 failed`));
});

test('other runtimes load a file too', () => {
  const folder = place({ 'a.bench.mjs': "import { bench } from 'tare';\nbench('one', () => 1);\n" });
  for (const runtime of ['bun', 'deno']) {
    if (spawnSync(runtime, ['--version']).status !== 0) {
      console.log(`skipped: JavaScript: ${runtime} is not installed`);
      continue;
    }
    assert.match(tare(folder, 'run', '--dry', 'a.bench.mjs', '--job', runtime).out, /one +ran +1/);
  }
});

test('every example runs', () => {
  const examples = path.join(FRONT_END, 'examples');
  // Before 22.13 Node cannot read TypeScript, and the project of the examples has no compiler.
  const [major, minor] = process.versions.node.split('.').map(Number);
  const reads = major > 22 || (major === 22 && minor >= 13);
  const files = fs.readdirSync(examples).filter((name) => reads || !name.endsWith('.ts')).map((name) => path.join(examples, name));
  if (!reads) {
    console.log('skipped: JavaScript: the example in TypeScript: this Node does not read it');
  }
  const done = tare(place({}), 'run', '--dry', ...files);
  assert.strictEqual(done.status, 0, done.all);
  assert.match(done.out, /copy\/slice\[n=10\] +ran +\[0,1,2/);
  assert.match(done.out, /queue\/shift +ran +0/);
});

test('what goes wrong costs its own benchmark, with its line', () => {
  const folder = place({ 'bad.bench.mjs': `import { bench } from 'tare';
bench('option', () => 1, { base: true });
bench('body', 5);
bench('twice', () => 1);
bench('twice', () => 2);
bench('never', () => new Promise(() => {}));
bench('stray', async () => { setTimeout(() => { throw new Error('later'); }, 0); await new Promise((r) => setTimeout(r, 5)); });
bench('rejects', async () => { Promise.reject(new TypeError('for no one')); });
bench('floats', () => { Promise.reject(new TypeError('let go')); });
bench('after', () => { setImmediate(() => { throw new Error('behind'); }); });
bench('exits', () => process.exit(3));
bench('setup', () => 1, { setup() { null.x; } });
bench('deep', function f() { return f() + 1; });
bench('generator', function* () { yield 5; });
bench('skipped', () => 1, { skip: 'no reason' });
` });
  const done = tare(folder, 'run', '--dry', 'bad.bench.mjs');
  assert.strictEqual(done.status, 100, done.all);
  for (const said of [
    /there is no option `base`; did you mean `baseline`\?/, /the body of `body` is not a function/, /twice +ran +1/, /there is another benchmark `twice`/,
    /never: a promise never settles|never +failed +in the body: a promise never settles/, /threw Error: later at .*bad\.bench\.mjs:7/,
    /threw TypeError: for no one at .*:8/, /threw TypeError: let go at .*:9/, /threw Error: behind at .*:10/,
    /exited unexpectedly with status 3/, /in the set-up: threw TypeError: .* at .*:12/,
    /threw RangeError: Maximum call stack/, /the generator does not yield a function/, /skipped +no reason/,
  ]) {
    assert.match(done.all, said);
  }
});

test('results that are no numbers stay as they are', () => {
  const folder = place({ 'kinds.bench.mjs': `import { bench } from 'tare';
bench('symbol', () => Symbol('x'));
bench('bare', () => Object.create(null));
bench('text', () => ({ toString() { throw new Error('asked'); } }));
bench('late', () => { setTimeout(() => { throw new Error('a timer'); }, 1); });
` });
  const done = tare(folder, 'run', '--quick', 'kinds.bench.mjs');
  assert.strictEqual(done.status, 100, done.all);
  assert.match(done.all, /4 cases: 1 failed/);
  assert.match(done.all, /late +failed: threw Error: a timer at .*:5/);
});

test('values of parameters that differ have names that differ', () => {
  const folder = place({ 'p.bench.mjs': `import { bench } from 'tare';
const made = (k) => function inner() { return k; };
bench('f', ({ f }) => f(), { params: { f: [made(1), made(2)] } });
bench('v', ({ v }) => typeof v, { params: { v: [1, '1', 1, { a: 1 }, { a: 1 }] } });
` });
  const done = tare(folder, 'run', '--dry', 'p.bench.mjs');
  for (const said of [/f\[f=inner\] +ran +1/, /f\[f=inner \(2\)\] +ran +2/, /v\[v=1\] +ran +number/, /v\[v=1 \(2\)\] +ran +string/, /5 ran/]) {
    assert.match(done.all, said);
  }
  assert.match(tare(folder, 'run', '--dry', 'p.bench.mjs', '--param', 'f=inner (2)', '--filter', 'f[').out, /f\[f=inner( \(2\))?\] +ran +2/);
});

test('a file that cannot be loaded has what is wrong and what to do', () => {
  const cases = {
    "import { bench } from 'tarre';\n": [/Cannot find package 'tarre' imported from /, /hint: did you mean `tare`\?/],
    "import 'tare';\nimport 'no-such-package/file';\n": [/Cannot find package 'no-such-package'/, /hint: .*`npm install no-such-package`/],
    "import { bench } from 'tare';\ngroup('x', () => {});\n": [/ReferenceError: group is not defined/, /wrong\.bench\.mjs:2/, /hint: import it: `import { group } from 'tare'`/],
    "import { bnech } from 'tare';\n": [/does not provide an export named 'bnech'/, /hint: did you mean `bench`\?/],
    "import 'tare';\nimport './no-such-file';\n": [/Cannot find module/, /hint: check the path of the import/],
    "import 'tare';\nawait new Promise(() => {});\n": [/a promise that wrong\.bench\.mjs awaits while it is loaded never settles/],
    "import 'tare';\nthrow new Error('own');\n": [/Error: own/, /wrong\.bench\.mjs:2/, /hint: see what it printed/],
  };
  for (const [source, said] of Object.entries(cases)) {
    const done = tare(place({ 'wrong.bench.mjs': source }), 'list', 'wrong.bench.mjs');
    assert.notStrictEqual(done.status, 0);
    for (const one of said) {
      assert.match(done.all, one);
    }
    // What the user's code threw is no fault of the protocol, and nothing of the runtime's own code is shown.
    assert.doesNotMatch(done.all, /conformance|node:internal/);
  }
});

test('a file that cannot be loaded shows the line', () => {
  const folder = place({ 'syntax.bench.mjs': "import { bench } from 'tare';\nconst x = ;\n" });
  const done = tare(folder, 'list', 'syntax.bench.mjs');
  assert.notStrictEqual(done.status, 0);
  assert.match(done.all, /syntax\.bench\.mjs:2/);
  assert.match(done.all, /SyntaxError: Unexpected token/);
});

test('both forms of modules, a folder, node_modules left out, parameters from outside', () => {
  const folder = place({
    'a.bench.cjs': "const { bench } = require('tare');\nbench('common', ({ n }) => 2 * n, { params: { n: [1, 2.5] } });\n",
    'b.bench.mjs': "import { bench } from 'tare';\nimport { three } from './three.mjs';\nbench('module', () => three);\n",
    'three.mjs': 'export const three = 3;\n',
    'other.mjs': "console.log('no benchmarks');\n",
    'node_modules/x/c.bench.mjs': "import { bench } from 'tare';\nbench('foreign', () => 1);\n",
  });
  const listed = tare(folder, 'list', '.');
  assert.strictEqual(listed.status, 0, listed.all);
  assert.deepStrictEqual(listed.out.match(/^\S+/gm), ['common[n=1]', 'common[n=2.5]', 'module']);
  const given = tare(folder, 'run', '--dry', 'a.bench.cjs', '--param', 'n=7');
  assert.match(given.out, /common\[n=7\] +ran +14/, given.all);
  assert.match(tare(folder, 'run', '--dry', 'a.bench.cjs', '--param', 'n=x').all, /n is a number, and "x" is not/);
});

/** What a program prints for each of its benchmarks when it is run by itself: a process in place of one for each. */
function quick(files, name) {
  const folder = place(files);
  const code = `import { main } from 'tare'; await import('./${name}'); await main();`;
  fs.writeFileSync(path.join(folder, 'start.mjs'), code);
  const done = run(folder, 'node', path.join(FRONT_END, 'start.js'), 'start.mjs');
  assert.strictEqual(done.status, 0, done.all);
  return Object.fromEntries([...done.out.matchAll(/^(.+?) {2}(?:ran(?: {2})?|skipped: )?(.*)$/gm)].map((m) => [m[1], m[2]]));
}

/** What a program says to `tare list`. */
const listed = (folder, name) => tare(folder, 'list', '--json', name);

const MITATA = `import { run, bench, group, boxplot, barplot, lineplot, summary, compact, do_not_optimize, measure } from 'mitata';
bench('plain', () => do_not_optimize(2)).gc('inner').compact().highlight('red');
bench(function named() { return 3; });
boxplot(() => { summary(() => {
  bench('from($size)', function* (state) { const size = state.get('size'); yield () => Array.from({ length: size }).length; }).range('size', 1, 64);
}); });
bench('computed $x', function* () { yield { [0]() { return 5; }, bench(a) { return a + 1; } }; }).args('x', [1]);
bench('rows', function* (state) { yield () => state.get('a') + state.get('b'); }).args({ a: [1, 2], b: [10] });
bench('list', function* (state) { yield () => state.get(); }).args([7]);
bench('dense', function* (state) { yield () => state.get('n'); }).dense_range('n', 1, 3);
bench('old', async () => 4).name('renamed');
compact(() => { barplot(() => { lineplot(() => {
  group('together', () => { bench('first', () => 1).baseline(true); bench('second', () => 2); });
}); }); });
try { measure(() => 1); } catch (error) { bench('measure', () => error.message); }
await run({ format: 'json' });
`;

test('all names that the libraries have can be imported', () => {
  const names = {
    mitata: '$ B barplot bench boxplot compact do_not_optimize flags group lineplot measure run summary',
    tinybench: `Bench Task calibrateTimerOverhead classifyTimerSaturation detectTimerSaturation estimateResolution formatNumber hrtimeNow
      hrtimeNowTimestampProvider mToNs medianAbsoluteDeviation nToMs now performanceNowTimestampProvider`,
    vitest: `afterAll afterEach assert assertType beforeAll beforeEach bench chai createExpect describe expect expectTypeOf inject it onTestFailed
      onTestFinished should suite test vi vitest`,
  };
  for (const [library, all] of Object.entries(names)) {
    const own = require(`../adapters/${library}.js`);
    const exported = fs.readFileSync(path.join(FRONT_END, 'adapters', `${library}.mjs`), 'utf8');
    for (const name of all.split(/\s+/)) {
      assert.ok(Object.hasOwn(own, name), `${library}: ${name}`);
      assert.match(exported, new RegExp(`[ {]${name.replace('$', '\\$')},`), `${library}.mjs: ${name}`);
    }
  }
  assert.throws(() => require('../adapters/vitest.js').expect(1), /`expect` of vitest is not there: keep what/);
  assert.throws(() => new (require('../adapters/mitata.js').B)('x'), /`B` of mitata is not there/);
});

test('files of mitata run as they are', () => {
  const files = { 'm.bench.mjs': MITATA };
  assert.deepStrictEqual(quick(files, 'm.bench.mjs'), {
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
  const { 'simple/steps': steps, ...found } = quick(files, 't.bench.mjs');
  assert.deepStrictEqual(found, { 'simple/sync': '4', 'simple/async': '6' });
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
  assert.deepStrictEqual(names.sort(), ['g/y', 'h/z', 'x']);
  assert.match(tare(folder, 'run', 'a.bench.mjs', '--dry').out, /x +ran +7/);
});

test('files of vitest run as they are', () => {
  const files = { 'v.bench.mjs': VITEST, 'only.bench.mjs': `import { bench, describe } from '@tare/vitest';
bench('other', () => 1);
describe.only('chosen', () => { bench('a', () => 2); });
` };
  assert.deepStrictEqual(quick(files, 'v.bench.mjs'), {
    'sort/normal': '[1,3]', 'sort/none': 'it is marked `skip`', 'sort/later': 'it is marked `todo`', 'sort/here': 'it is marked `skip`',
    'sort/there': '2', 'sort/hooks': '["file","group","each","own"]', 'left out/a': 'its `describe` is marked `skip`',
    'planned/todo': 'it is marked `todo`', '1 and 2/sum': '3', '3 and 4/sum': '7', 'outer inner/named': '5',
  });
  assert.deepStrictEqual(quick(files, 'only.bench.mjs'), { other: 'another benchmark is marked `only`', 'chosen/a': '2' });
  const told = listed(place(files), 'v.bench.mjs').all;
  assert.match(told, /vitest's options .* have no effect/);
  assert.match(told, /tests of vitest are left out/);
});

test('a run has times, exact bytes, and results that are compared', () => {
  const folder = place({ 'a.bench.mjs': `import { bench, group, input } from 'tare';
group('objects', () => {
  bench('three', () => ({ a: input(1), b: 2, c: 3 }), { baseline: true });
  bench('none', () => input(1));
});
` });
  const done = tare(folder, 'run', 'a.bench.mjs', '--quick', '--launches', '3', '-o', 'a.json');
  assert.strictEqual(done.status, 0, done.all);
  const { cases } = JSON.parse(fs.readFileSync(path.join(folder, 'a.json'), 'utf8')).report;
  const bytes = cases.map((one) => one.outcome.metrics.find((metric) => metric.name === 'allocated_bytes').value);
  // An object with three fields takes 48 bytes; what an iteration itself allocates is taken off, to within a few bytes of thousands of calls.
  assert.ok(Math.abs(bytes[0] - 48) < 1 && bytes[1] < 1, `${bytes}`);
  assert.match(done.all, /objects/);
});

test('a stack of a profile begins with the body', () => {
  const lib = path.join(FRONT_END, 'lib', 'opened.js');
  const frame = (functionName, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });
  let id = 0;
  const node = (callFrame, hitCount, ...children) => ({ id: (id += 1), callFrame, hitCount, below: children });
  const root = node(frame('(root)'), 0,
    node(frame('(garbage collector)'), 5), node(frame('(idle)'), 9), node(frame('(program)'), 2),
    node(frame('serve', lib), 1,
      node(frame('loop'), 3, node(frame('', 'file:///x/a.mjs', 4), 7, node(frame('inner;x', 'file:///x/b.mjs'), 8))),
      node(frame('setup', 'file:///x/a.mjs'), 4)),
    node(frame('later', 'file:///x/a.mjs'), 6));
  const nodes = [];
  const take = (one) => { nodes.push({ ...one, children: one.below.map((child) => child.id) }); one.below.forEach(take); };
  take(root);
  assert.deepStrictEqual(stacksOf({ nodes }), [
    '[collector] 5', '[runtime] 2', 'anonymous (a.mjs:5) 7', 'anonymous (a.mjs:5);inner:x 8', 'later 6', 'tare 3',
  ]);
});

test('the listing of V8 is that of the body', () => {
  const one = (source, code) => `--- Raw source ---\n${source},\n\n--- Optimized code ---\ncompiler = turbofan\n\nInstructions (size = 8)\n${code}\n\n`
    + 'Inlined functions (count = 1)\n 0x0bb32f6aa131 <SharedFunctionInfo inner>\n\n';
  const text = one('(s){ return 1 }', '0x7fb15c006cc0     0  55                   push rbp') + one('(x) => x', '0x7fb15c006cc0     e  4889e5 REX.W movq rbp,rsp');
  assert.strictEqual(listingOf(text, 'function body(s){ return 1 }'), 'compiled by turbofan, 1 instructions\ninlined: inner\n\n      0  push rbp\n');
  assert.strictEqual(listingOf(text, '(x) => x').split('\n')[3], '      e  movq rbp,rsp');
  assert.strictEqual(listingOf(text, '() => 5'), null);
});

test('a profile and machine code of a body', () => {
  const folder = place({ 'a.bench.mjs': `import { bench } from 'tare';
function inner(x) { let t = 0; for (let i = 0; i < 200; i += 1) { t += Math.sqrt(x + i); } return t; }
bench('outer', function outer(n) { return inner(n); }, { setup: () => 3 });
` });
  const done = tare(folder, 'run', 'a.bench.mjs', '--launches', '1', '--rounds', '2', '--diagnose', 'profile,code', '--diagnose-for', '0.2s', '-o', 'a.json');
  assert.strictEqual(done.status, 0, done.all);
  const names = JSON.parse(fs.readFileSync(path.join(folder, 'a.json'), 'utf8')).report.attachments.map((one) => one.name);
  for (const name of ['profile.folded', 'profile.cpuprofile', 'code.txt']) {
    assert.ok(names.includes(name), `${names}`);
  }
  assert.match(tare(folder, 'show', 'latest', '--flame').out, /inner/);
  assert.match(tare(folder, 'show', 'latest', '--code').out, /sqrt/);
});

test('TypeScript is compiled by what the project has, and failures name its lines', () => {
  // A compiler that only knows how to leave types out of one line.
  const compiler = "exports.transformSync = (text) => ({ code: text.replace(/: (number|never)/g, '') });\n";
  const folder = place({
    'package.json': '{"type": "module"}',
    'node_modules/esbuild/package.json': '{"name": "esbuild", "main": "main.js", "type": "commonjs"}',
    'node_modules/esbuild/main.js': compiler,
    'a.bench.ts': "import { bench } from 'tare';\nimport { double } from './helper.js';\n\nbench('double', () => double(4));\nbench('throws', (): never => { throw new Error('no'); });\n",
    'helper.ts': 'export const double = (x: number): number => 2 * x;\n',
  });
  const done = tare(folder, 'run', '--dry', 'a.bench.ts');
  assert.match(done.out, /double +ran +8/, done.all);
  assert.match(done.all, /threw Error: no at .*a\.bench\.ts:5/);
});

test('TypeScript finds its sources by the names of compiled files, without endings, and by `paths`', () => {
  const { typescriptOf } = require('../lib/typescript.js');
  const folder = place({
    'shared/base.json': '{"compilerOptions": {"baseUrl": "../sources", "experimentalDecorators": true}}',
    'tsconfig.json': '{\n  // Where our modules are: "@/x" and "~"\n  "extends": "./shared/base.json",\n  "compilerOptions": { "paths": { "@/*": ["src/*"], "~": ["src/index.ts"], "#a/*/b": ["other/*", "src/*"], }, }, /* end */\n}',
    'sources/src/util.ts': '', 'sources/src/view.tsx': '', 'sources/src/index.ts': '', 'bench/a.bench.ts': '', 'bench/near.mts': '', 'bench/there.js': '',
  });
  const of = (name) => {
    const found = typescriptOf(name, path.join(folder, 'bench/a.bench.ts'));
    return found && path.relative(folder, found);
  };
  const cases = {
    '../sources/src/util.js': 'sources/src/util.ts', '../sources/src/util': 'sources/src/util.ts', '../sources/src/view': 'sources/src/view.tsx',
    '../sources/src/view.js': 'sources/src/view.tsx', '../sources/src': 'sources/src/index.ts', './near.mjs': 'bench/near.mts', './there.js': null,
    '@/util': 'sources/src/util.ts', '@/util.js': 'sources/src/util.ts', '~': 'sources/src/index.ts', '#a/view/b': 'sources/src/view.tsx', '@/none': null,
    fs: null, './none': null,
  };
  for (const [name, file] of Object.entries(cases)) {
    assert.strictEqual(of(name), file, name);
  }
  assert.strictEqual(typescriptOf('./near', path.join(folder, 'bench/there.js')), null);
});

test('TypeScript in a CommonJS package', () => {
  const compiler = `exports.transformSync = (text, { format, platform }) => ({ code: platform !== 'node' || format !== 'cjs' ? 'wrong' : text
    .replace(/: number/g, '').replace(/export const (\\w+)/g, 'const $1 = exports.$1').replace(/import (.*) from (.*);/g, 'const $1 = require($2);') });\n`;
  const folder = place({
    'package.json': '{"type": "commonjs"}',
    'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}',
    'node_modules/esbuild/package.json': '{"name": "esbuild", "main": "main.js", "type": "commonjs"}',
    'node_modules/esbuild/main.js': compiler,
    'a.bench.ts': "import { bench } from 'tare';\nimport { twice } from './src/twice.js';\nimport { three } from '@/three';\nbench('six', () => twice(three));\n",
    'b.bench.cjs': "const { bench } = require('tare');\nconst { three } = require('./src/three.ts');\nbench('three', () => three);\n",
    'src/twice.ts': 'export const twice = (x: number) => 2 * x;\n',
    'src/three.ts': 'export const three = 3;\n',
  });
  const done = tare(folder, 'run', '--dry', 'a.bench.ts', 'b.bench.cjs');
  assert.match(done.out, /six +ran +6/, done.all);
  assert.match(done.out, /three +ran +3/, done.all);
});

test('without `tare` a program runs each body once', () => {
  const folder = place({ 'a.js': "const { bench, main } = require('tare');\nbench('x', () => 5);\nmain();\n" });
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(FRONT_END, path.join(folder, 'node_modules', 'tare'));
  const done = run(folder, 'node', 'a.js');
  assert.match(done.out, /^x {2}ran {2}5\nhint: `tare run FILE` measures them$/m, done.all);
  fs.writeFileSync(path.join(folder, 'b.js'), "const { bench, main } = require('tare');\nbench('x', () => { throw new Error('no'); });\nbench('y', () => 5);\nmain();\n");
  const failed = run(folder, 'node', 'b.js');
  assert.match(failed.out, /^x {2}failed: no at .*b\.js:2\ny {2}ran {2}5$/m, failed.all);
  assert.strictEqual(failed.status, 1);
});

test('the built packages give the front end and the command', () => {
  if (spawnSync('npm', ['--version']).status !== 0) {
    console.log('skipped: JavaScript: the packages: npm is not installed');
    return;
  }
  const folder = place({
    'package.json': '{"name": "x", "version": "1.0.0"}',
    'b.mjs': "import { bench, main } from 'tare';\nbench('x', () => 6);\nawait main();\n",
    // The program itself is large: what is packed starts it.
    program: `#!/bin/sh\nexec '${TARE}' "$@"\n`,
  });
  const environment = { ...process.env, TARE_PROGRAM: path.join(folder, 'program') };
  const built = spawnSync('node', [path.join(FRONT_END, 'packaging', 'build.mjs'), folder], { encoding: 'utf8', env: environment });
  assert.strictEqual(built.status, 0, built.stderr);
  const packages = built.stdout.trim().split('\n');
  assert.strictEqual(packages.length, 2, built.stdout);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', path.join(folder, '.npm')];
  const installed = run(folder, 'npm', 'install', ...packages, ...quiet);
  assert.strictEqual(installed.status, 0, installed.all);
  assert.match(run(folder, 'node', 'b.mjs').out, /^x {2}ran {2}6$/m);
  for (const name of ['tare', `@tare/${process.platform}-${process.arch}`]) {
    for (const file of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE']) {
      assert.ok(fs.existsSync(path.join(folder, 'node_modules', name, file)), `${name}/${file}`);
    }
  }
  const command = path.join(folder, 'node_modules', '.bin', 'tare');
  assert.strictEqual(run(folder, command, 'list', 'b.mjs').out.trim(), 'x');
  // Its exit code is that of the program.
  assert.strictEqual(run(folder, command, 'list', 'no-such-file.mjs').status, tare(folder, 'list', 'no-such-file.mjs').status);
});

let [passed, failed] = [0, 0];
for (const { name, code } of tests) {
  try {
    code();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`${name} --- FAILED\n${error.stack}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
