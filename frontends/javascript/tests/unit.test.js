'use strict';
// Unit tests of the front end.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const { FRONT_END, ROOT, place } = require('./place.js');
const { placeIn } = require('../lib/place.js');
const { textOf, digestOf, beginning } = require('../lib/text.js');
const { samplesOf, listingOf } = require('../lib/diagnose.js');
const { Opened } = require('../lib/opened.js');
const machine = require('../lib/machine.js');

test('a place is the innermost one of the user', () => {
  const of = (...lines) => placeIn({ stack: ['Error: at x (y:1:2)', ...lines].join('\n') });
  const own = `    at own (${path.join(FRONT_END, 'lib', 'declare.js')}:1:2)`;
  assert.deepEqual(of(own, '    at node:internal/x:1:2', '    at new Sort (/a b/sort.js:3:4)', '    at /c.js:5:6'), { file: '/a b/sort.js', line: 3 });
  assert.deepEqual(of('    at async file:///a%20b/sort.mjs:7:8'), { file: '/a b/sort.mjs', line: 7 });
  assert.deepEqual(of('    at <anonymous>:1:2', '    at async Promise.all (index 0)'), {});
  assert.deepEqual(placeIn('thrown'), {});
});

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
    // A JavaScript string cannot hold invalid UTF-8.
    if (kind === 'text' && Buffer.from(text(value), 'utf8').toString('hex') !== value.replace('-', '')) {
      continue;
    }
    seen += 1;
    const own = textOf(KINDS[kind](value));
    assert.equal(digestOf(own), digest, line);
    assert.equal(own, JSON.parse(shown), line);
  }
  assert.ok(seen > 30, `${seen} lines`);
  assert.equal(textOf([1, 'a', [true, null]]), '[1,"a",[true,null]]');
  assert.equal(textOf(new Map([[1, 'x']])), '[[1,"x"]]');
  assert.equal(textOf(Uint8Array.of(1, 255)), '[1,255]');
  assert.equal(textOf(-0), '0');
  assert.equal(textOf('\ud800'), '\ufffd');
  assert.equal(textOf({ a: [1n], b: undefined }), '{"a":[1],"b":null}');
  for (const none of [undefined, null, () => 1, Symbol('x'), new (class Own {})(), [Symbol('x')]]) {
    assert.equal(textOf(none), null);
  }
  const cyclic = { in: [] };
  cyclic.in.push(cyclic);
  for (const none of [cyclic, { toString() { throw new Error('asked'); } }, new Proxy({}, { get() { throw new Error('asked'); } })]) {
    assert.equal(textOf(none), null);
  }
  assert.equal(beginning('\u{1f600}'.repeat(3), 2), '\u{1f600}\u{1f600}');
});

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

test('a stack of a profile begins with the body', () => {
  const lib = path.join(FRONT_END, 'lib', 'opened.js');
  const frame = (functionName, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });
  let id = 0;
  const node = (callFrame, hitCount, ...children) => ({ id: (id += 1), callFrame, hitCount, below: children });
  const root = node(frame('(root)'), 0,
    node(frame('(garbage collector)'), 5), node(frame('(idle)'), 9), node(frame('(program)'), 2),
    node(frame('serve', lib), 1,
      node(frame('loop'), 3, node(frame('', 'file:///x/a.mjs', 4), 7, node(frame('inner;x', 'file:///x/b.mjs'), 8))),
      node(frame('setup', 'file:///x/a.mjs'), 4),
      node(frame('first', lib), 2, node(frame('', 'file:///x/a.mjs', 4), 1, node(frame('RegExp: a+'), 9)))),
    node(frame('later', 'file:///x/a.mjs'), 6));
  const nodes = [];
  const take = (one) => { nodes.push({ ...one, children: one.below.map((child) => child.id) }); one.below.forEach(take); };
  take(root);
  assert.deepEqual(samplesOf({ nodes }).stacks, [
    '[collector] 5', '[runtime] 2', 'anonymous (a.mjs:5) 8', 'anonymous (a.mjs:5);RegExp: a+ 9', 'anonymous (a.mjs:5);inner:x 8', 'later 6', 'tare 5',
  ]);
  // A body without its own name gets the benchmark's, whatever V8 guesses.
  assert.deepEqual(samplesOf({ nodes }, 'users;index').stacks.slice(2, 4), ['later 6', 'tare 5']);
  assert.deepEqual(samplesOf({ nodes }, 'users;index').stacks.slice(4), ['users:index 8', 'users:index;RegExp: a+ 9', 'users:index;inner:x 8']);
});

test('the listing of V8 is that of the body', () => {
  const one = (source, code) => `--- Raw source ---\n${source},\n\n--- Optimized code ---\ncompiler = turbofan\n\nInstructions (size = 8)\n${code}\n\n`
    + 'Inlined functions (count = 1)\n 0x0bb32f6aa131 <SharedFunctionInfo inner>\n\n';
  const text = one('(s){ return 1 }', '0x7fb15c006cc0     0  55                   push rbp') + one('(x) => x', '0x7fb15c006cc0     e  4889e5 REX.W movq rbp,rsp');
  assert.equal(listingOf(text, 'function body(s){ return 1 }'), 'compiled by turbofan, 1 instructions\ninlined: inner\n\n      0  push rbp\n');
  assert.equal(listingOf(text, '(x) => x').split('\n')[3], '      e  movq rbp,rsp');
  assert.equal(listingOf(text, '() => 5'), null);
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
    'src/util': 'sources/src/util.ts', fs: null, './none': null,
  };
  for (const [name, file] of Object.entries(cases)) {
    assert.equal(of(name), file, name);
  }
  assert.equal(typescriptOf('./near', path.join(folder, 'bench/there.js')), null);
});

test('the place on the stack is not in the traces of a body', async () => {
  const depths = [];
  const body = () => { depths.push(new Error('where').stack.split('\n').length); };
  Error.stackTraceLimit = Infinity;
  for (const seed of [0, 1, 17, 63, 999_999]) {
    const opened = await Opened.of({ body, parameters: [], options: {} }, seed);
    opened.awaited = false;
    await opened.invocations('workload', 3, null);
  }
  Error.stackTraceLimit = 10;
  assert.equal(depths.length, 15);
  assert.equal(new Set(depths).size, 1, depths.join());
});

test('a `tsconfig.json` may be written for the folders of others, and lead to one that is about the file', () => {
  const { typescriptOf } = require('../lib/typescript.js');
  const folder = place({
    'base.json': '{"compilerOptions": {"paths": {"~/*": ["${configDir}/src/*"]}}}',
    'tool/tsconfig.json': '{"extends": ["../base.json"]}', 'tool/src/sum.ts': '',
    'app/tsconfig.json': '{"files": [], "references": [{"path": "./src"}, {"path": "./tsconfig.bench.json"}]}',
    'app/src/tsconfig.json': '{"compilerOptions": {"paths": {"@app/*": ["./wrong/*"]}}, "exclude": ["**/made"]}', 'app/src/sum.ts': '',
    'app/tsconfig.bench.json': '{"compilerOptions": {"paths": {"@app/*": ["./src/*"]}}, "include": ["lib", "bench/**/*.bench.ts"]}',
  });
  const of = (name, file) => path.relative(folder, typescriptOf(name, path.join(folder, file)) ?? folder);
  assert.equal(of('~/sum', 'tool/own.bench.ts'), 'tool/src/sum.ts');
  assert.equal(of('@app/sum', 'app/bench/deep/a.bench.ts'), 'app/src/sum.ts');
  assert.equal(of('@app/sum', 'app/lib/a.ts'), 'app/src/sum.ts');
  assert.equal(of('@app/sum', 'app/bench/a.ts'), '');
});

test('a hint takes no alias for a package', () => {
  const { hintFor } = require('../lib/hints.js');
  const hint = (name) => hintFor(new Error(`Cannot find module '${name}' imported from /x.mjs`));
  assert.match(hint('/top/dist/other.js'), /check the path/);
  assert.match(hint('~/sum'), /no name of a package/);
  assert.match(hint('@scope/sum/deep'), /npm install @scope\/sum/);
});

test('a body that returns a promise now and then says so', async () => {
  const of = async (every, options = {}) => {
    let n = 0;
    const body = () => { n += 1; return n % every === 0 ? Promise.resolve(n) : n; };
    return Opened.of({ body, parameters: [], options }, 0);
  };
  const tenth = await of(10);
  await tenth.invocations('workload', 5, null);
  await assert.rejects(tenth.invocations('workload', 20, null), /returned none in its first 9 calls/);
  const each = await of(1);
  await each.invocations('workload', 100, null);
  assert.equal(each.isAwaited, true);
  const late = await of(101);
  await late.invocations('workload', 100, null);
  await assert.rejects(late.invocations('workload', 1, null), /a promise now and then/);
  for (const awaits of [true, false]) {
    const told = await of(2, { awaits });
    await told.invocations('workload', 200, null);
    assert.equal(told.isAwaited, awaits);
  }
});

test('what leads to the files of the user leads into the checkout of a revision', (context) => {
  const { checkoutOf, moved } = require('../lib/checkout.js');
  const folder = fs.realpathSync(place(context));
  const at = (...parts) => path.join(folder, ...parts);
  const write = (file, text = '') => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };
  write(at('cache', 'mono', '.git', 'tare-root'), at('mono'));
  const bench = write(at('cache', 'mono', 'bench', 'a.mjs'));
  const own = write(at('cache', 'mono', 'parts', 'own', 'index.js'));
  const installed = write(at('mono', 'node_modules', 'other', 'index.js'));
  fs.mkdirSync(at('cache', 'mono', 'node_modules'));
  fs.symlinkSync(at('mono', 'node_modules', 'other'), at('cache', 'mono', 'node_modules', 'other'));
  fs.symlinkSync(path.dirname(own), at('cache', 'mono', 'node_modules', 'own'));
  const checkout = checkoutOf(bench);
  assert.deepEqual(checkout, { top: at('cache', 'mono'), users: at('mono') });
  assert.equal(checkoutOf(at('mono', 'bench', 'a.mjs')), null);
  // Found by its sources, and by a copy that other packages find among the user's files.
  assert.equal(moved(at('mono', 'parts', 'own', 'index.js'), checkout), own);
  assert.equal(moved(at('mono', 'node_modules', 'own', 'index.js'), checkout), own);
  assert.equal(moved(installed, checkout), null);
  assert.equal(moved(own, checkout), null);
  assert.equal(moved('fs', checkout), null);
  assert.throws(() => moved(at('mono', 'made.js'), checkout), /is a file of the working tree, which the revision lacks/);
});

test('a short body is compiled in its warm-up, and what V8 cannot compile is left as it is', async (context) => {
  if (!machine.tellsCompilations) {
    context.skip('this runtime does not say what it compiles');
    return;
  }
  const numbers = [3, 1, 2];
  const opened = async (body) => Opened.of({ body, parameters: [], options: { awaits: false } }, 1);
  const warm = async (one) => {
    let compiled = 0;
    for (let slice = 0; slice < 40; slice += 1) {
      await one.invocations('workload', 64, null);
      compiled += one.compile(64) ? 1 : 0;
    }
    return compiled;
  };
  const body = () => numbers.map((x) => x + 1).reduce((a, b) => a + b, 0);
  const one = await opened(body);
  await one.invocations('workload', 63, null);
  assert.equal(one.compile(63), false, 'its types are not known yet');
  const times = await warm(one);
  assert.deepEqual(machine.uncompiled(body, one.loop().workload), []);
  assert.ok(times >= 2 && times <= 8, `${times}`);
  for (const other of [Math.random, body.bind(null), new Proxy(body, {})]) {
    const left = await opened(other);
    assert.ok(await warm(left) <= 4, 'only its loop');
    assert.equal(typeof left.isCompiling(), 'boolean');
    machine.compileAgain(other);
    machine.forget(other);
  }
});
