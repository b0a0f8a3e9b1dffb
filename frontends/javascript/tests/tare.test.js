'use strict';
// `tare` with JavaScript and TypeScript files.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const { FEW, FRONT_END, TARE, lacks, once, place, run, tare } = require('./place.js');

test('the front end conforms to the protocol', () => {
  // The slow test is 100,000 measurements at once.
  const [flags, passed] = process.env.TARE_TEST_LONG ? [['--'], 26] : [['--quick', '--'], 25];
  const done = tare(place(), 'conformance', ...flags, 'node', path.join(__dirname, 'conformance.mjs'));
  assert.equal(done.status, 0, done.all);
  assert.match(done.out, new RegExp(`${passed} passed, 0 failed`));
});

for (const runtime of ['bun', 'deno']) {
  test(`${runtime} loads a file too`, { skip: lacks(runtime) }, () => {
    const folder = place({ 'a.bench.mjs': "import { bench } from 'tare';\nbench('one', () => 1);\n" });
    assert.match(tare(folder, 'run', '--dry', 'a.bench.mjs', '--job', runtime).out, /one +ran +1/);
  });
}

// Node before 22.13 cannot read TypeScript, and the examples have no compiler.
const [major, minor] = process.versions.node.split('.').map(Number);
const readsTypes = major > 22 || (major === 22 && minor >= 13);

for (const example of fs.readdirSync(path.join(FRONT_END, 'examples'))) {
  test(`the example ${example} runs`, { skip: example.endsWith('.ts') && !readsTypes && 'this Node does not read TypeScript' }, () => {
    const found = once(path.join(FRONT_END, 'examples', example));
    assert.doesNotMatch(JSON.stringify(found), /failed/);
    assert.ok(Object.keys(found).length > 0);
    if (example.startsWith('02')) {
      assert.equal(found['queue/shift'], '0');
    }
  });
}

test('what goes wrong costs its own benchmark, with its line', () => {
  const folder = place({ 'bad.bench.mjs': `import { bench } from 'tare';
bench('option', () => 1, { base: true });
bench('body', 5);
bench('renamed', () => 1, { maxInvocations: 5 });
bench('twice', () => 1); bench('twice', () => 2);
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
bench('text', () => 1, { diagnose: 'memory' });
` });
  const done = tare(folder, 'run', '--dry', 'bad.bench.mjs');
  assert.equal(done.status, 100, done.all);
  for (const said of [
    /there is no option `base`; did you mean `baseline`\?/, /there is no option `maxInvocations`; it is called `invocationsMax`/, /the body of `body` is not a function/, /twice +ran +1/, /there is another benchmark `twice`/,
    /never: a promise never settles|never +failed +in the body: a promise never settles/, /threw Error: later at .*bad\.bench\.mjs:7/,
    /threw TypeError: for no one at .*:8/, /threw TypeError: let go at .*:9/, /threw Error: behind at .*:10/,
    /exited unexpectedly with status 3/, /in the set-up: threw TypeError: .* at .*:12/,
    /`diagnose` needs a list: `diagnose: \["memory"\]`/, /threw RangeError: Maximum call stack/, /the generator does not yield a function/, /skipped +no reason/,
  ]) {
    assert.match(done.all, said);
  }
});

test('a benchmark is found by its name, whatever order the process declares', () => {
  const folder = place({
    'turn.bench.mjs': `import fs from 'node:fs'; import { bench } from 'tare';
      const turn = new URL('turn', import.meta.url);
      const names = ['good', 'bad'];
      if (fs.existsSync(turn)) { fs.rmSync(turn); names.reverse(); } else { fs.writeFileSync(turn, ''); }
      for (const name of names) { bench(name, () => { if (name === 'bad') { throw new Error(); } return name; }); }`,
  });
  assert.match(tare(folder, 'run', 'turn.bench.mjs', '--dry').out, /^good +ran +good\nbad +failed/);
});

test('values that JSON lacks, and a body that replaces what the front end uses', () => {
  const folder = place({
    'odd.bench.mjs': `import fs from 'node:fs'; import { bench } from 'tare';
      bench('\\ud800', () => 1);
      bench('rate', () => 1, { rates: { x: NaN } });
      bench('thrown', () => { throw { toString() { throw 1; } }; });
      bench('time', () => NaN, { ownTime: true });
      const { getOwnPropertyNames } = Object;
      const fake = () => { throw new Error('faked'); };
      const isMethod = (object, name) => !['constructor', 'prototype'].includes(name) && typeof object[name] === 'function';
      const all = [Array, Buffer, Date, JSON, Math, Number, String, fs].flatMap((object) => getOwnPropertyNames(object).filter((name) => isMethod(object, name)).map((name) => [object, name]));
      all.push([globalThis, 'setImmediate'], [performance, 'now'], ...['cpuUsage', 'exit', 'hrtime', 'memoryUsage'].map((name) => [process, name]));
      bench('fakes', () => { for (const [object, name] of all) { object[name] = fake; } return [5, 'a']; });
      bench('methods', () => { Array.prototype.map = String.prototype.replace = fake; return 5; });`,
  });
  const { out, all } = tare(folder, 'run', 'odd.bench.mjs', ...FEW, '--quick');
  assert.match(all, /`rates` cannot be \[{"name":"x","per_invocation":"NaN"}\]/);
  assert.match(all, /thrown +failed: threw \{ toString/);
  assert.match(all, /time +failed: it has `ownTime` and does not return a number/);
  assert.match(out, /fakes +<? ?[\d.]+ +[nµ]s/);
  assert.match(all, /methods +failed: threw Error: faked at .*:7/);
});

test('results that are no numbers stay as they are', () => {
  const folder = place({ 'kinds.bench.mjs': `import { bench } from 'tare';
bench('symbol', () => Symbol('x'));
bench('bare', () => Object.create(null));
bench('text', () => ({ toString() { throw new Error('asked'); } }));
bench('late', () => { setTimeout(() => { throw new Error('a timer'); }, 1); });
` });
  const done = tare(folder, 'run', '--quick', ...FEW, 'kinds.bench.mjs');
  assert.equal(done.status, 100, done.all);
  assert.match(done.all, /4 cases: 1 failed/);
  assert.match(done.all, /late +failed: threw Error: a timer at .*:5/);
});

test('values of parameters that differ have names that differ', () => {
  const folder = place({ 'p.bench.mjs': `import { bench } from 'tare';
const made = (k) => function inner() { return k; };
bench('f', ({ f }) => f(), { params: { f: [made(1), made(2)] } });
bench('v', ({ v }) => typeof v, { params: { v: [1, '1', 1, { a: 1 }, { a: 1 }] } });
` });
  assert.deepEqual(once(path.join(folder, 'p.bench.mjs')), {
    'f[f=inner]': '1', 'f[f=inner (2)]': '2', 'v[v=1]': 'number', 'v[v=1 (2)]': 'string', 'v[v={"a":1}]': 'object',
  });
  assert.match(tare(folder, 'run', '--dry', 'p.bench.mjs', '--param', 'f=inner (2)', '--filter', 'f[').out, /f\[f=inner( \(2\))?\] +ran +2/);
});

test('a file that cannot be loaded has what is wrong and what to do', () => {
  const cases = {
    "import { bench } from 'tarre';\n": [/Cannot find package 'tarre' imported from /, /hint: did you mean `tare`\?/],
    "import 'tare';\nimport 'no-such-package/file';\n": [/Cannot find package 'no-such-package'/, /hint: .*`npm install no-such-package`/],
    "import { bench } from 'tare';\ngroup('x', () => {});\n": [/ReferenceError: group is not defined/, /wrong\d\.bench\.mjs:2/, /hint: import it: `import { group } from 'tare'`/],
    "import { bnech } from 'tare';\n": [/does not provide an export named 'bnech'/, /hint: did you mean `bench`\?/],
    "import 'tare';\nimport './no-such-file';\n": [/Cannot find module/, /hint: check the path of the import/],
    "import 'tare';\nawait new Promise(() => {});\n": [/a promise that wrong\d\.bench\.mjs awaits while it is loaded never settles/],
    "import 'tare';\nthrow new Error('own');\n": [/Error: own/, /hint: it threw while it was loaded, wrong\d\.bench\.mjs:2: to leave the file out/],
  };
  const name = (at) => `wrong${at}.bench.mjs`;
  const folder = place(Object.fromEntries(Object.keys(cases).map((source, at) => [name(at), source])));
  const done = tare(folder, 'list', ...Object.keys(cases).map((_, at) => name(at)));
  assert.notEqual(done.status, 0);
  const failures = done.all.split(/^error: cannot list the benchmarks of /m);
  for (const [at, said] of Object.values(cases).entries()) {
    const failure = failures.find((one) => one.startsWith(`\`${name(at)}\``)) ?? done.all;
    for (const one of said) {
      assert.match(failure, one);
    }
  }
  // An exception in user code is not reported as a protocol error, and the runtime's own code is not shown.
  assert.doesNotMatch(done.all, /conformance|node:internal/);
});

test('a file that cannot be loaded shows the line', () => {
  const done = tare(place({ 'syntax.bench.mjs': "import { bench } from 'tare';\nconst x = ;\n" }), 'list', 'syntax.bench.mjs');
  assert.equal(done.status, 101, 'as where a compiler refuses it');
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
  assert.equal(listed.status, 0, listed.all);
  assert.deepEqual(listed.out.match(/^\S+/gm), ['common[n=1]', 'common[n=2.5]', 'module']);
  const given = tare(folder, 'run', '--dry', 'a.bench.cjs', '--param', 'n=7');
  assert.match(given.out, /common\[n=7\] +ran +14/, given.all);
  assert.match(tare(folder, 'run', '--dry', 'a.bench.cjs', '--param', 'n=x').all, /n is a number, and "x" is not/);
});

test('a run has times, exact bytes, and results that are compared', () => {
  const folder = place({ 'a.bench.mjs': `import { bench, group, input } from 'tare';
group('objects', () => {
  bench('three', () => ({ a: input(1), b: 2, c: 3 }), { baseline: true });
  bench('none', () => input(1));
});
` });
  const done = tare(folder, 'run', 'a.bench.mjs', '--quick', ...FEW, '-o', 'a.json');
  assert.equal(done.status, 0, done.all);
  const { cases } = JSON.parse(fs.readFileSync(path.join(folder, 'a.json'), 'utf8')).report;
  const bytes = cases.map((one) => one.outcome.metrics.find((metric) => metric.name === 'allocated_bytes').value);
  // An object with three fields takes 48 bytes. The allocations of the iteration itself are subtracted, accurate to a few bytes in thousands of calls.
  assert.ok(Math.abs(bytes[0] - 48) < 1 && bytes[1] < 1, `${bytes}`);
  assert.match(done.all, /objects/);
});

test('a profile and machine code of a body', () => {
  const folder = place({ 'a.bench.mjs': `import { bench } from 'tare';
const sparse = (globalThis.sparse = []);
sparse[1e8] = 1;
function inner(x) { let t = 0; for (let i = 0; i < 200; i += 1) { t += Math.sqrt(x + i); } return t; }
bench('outer', function outer(n) { return inner(n); }, { setup: () => 3 });
` });
  const done = tare(folder, 'run', 'a.bench.mjs', ...FEW, '--diagnose', 'profile,code', '--diagnose-for', '0.2s', '-o', 'a.json');
  assert.equal(done.status, 0, done.all);
  const names = JSON.parse(fs.readFileSync(path.join(folder, 'a.json'), 'utf8')).report.attachments.map((one) => one.name);
  for (const name of ['profile.folded', 'profile.cpuprofile', 'code.txt']) {
    assert.ok(names.includes(name), `${names}`);
  }
  const [run] = fs.readdirSync(path.join(folder, '.tare', 'runs'));
  const { diagnoses } = JSON.parse(fs.readFileSync(path.join(folder, '.tare', 'runs', run, 'run.json'), 'utf8'));
  const { facts } = diagnoses.find((one) => one.diagnoser === 'profile');
  assert.ok(facts['in memory: arrays in dictionary mode'] >= 1, JSON.stringify(facts));
  assert.ok(Object.keys(facts).some((fact) => /^samples at a\.bench\.mjs:4: function inner.* in inner$/.test(fact)), JSON.stringify(facts));
  assert.match(tare(folder, 'show', 'latest', '--flame').out, /inner/);
  assert.match(tare(folder, 'show', 'latest', '--code').out, /sqrt/);
});

test('TypeScript is compiled by what the project has, and failures name its lines', () => {
  // A minimal compiler that strips types from single lines.
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

test('without a compiler of TypeScript it says how to get one', { skip: readsTypes && 'this Node reads TypeScript' }, () => {
  const done = tare(place({ 'a.bench.ts': "import { bench } from 'tare';\nbench('one', () => 1);\n" }), 'list', 'a.bench.ts');
  assert.equal(done.status, 101, done.all);
  assert.match(done.all, /hint: Node 22\.13 .* `npm install --save-dev esbuild`/);
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
  const folder = place({ 'a.js': "const { bench } = require('tare');\nbench('x', () => 5);\n" });
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(FRONT_END, path.join(folder, 'node_modules', 'tare'));
  const done = run(folder, 'node', 'a.js');
  assert.match(done.out, /^x {2}ran {2}5\nhint: `tare` on the PATH measures them; .*$/m, done.all);
  fs.writeFileSync(path.join(folder, 'b.js'), "const { bench, main } = require('tare');\nbench('x', () => { throw new Error('no'); });\nbench('y', () => 5);\nmain();\n");
  const failed = run(folder, 'node', 'b.js');
  assert.match(failed.out, /^x {2}failed: no at .*b\.js:2\ny {2}ran {2}5$/m, failed.all);
  assert.equal(failed.status, 1);
});

test('a program that is started by itself becomes `tare run` of it', () => {
  const folder = place({
    'a.js': "const { bench } = require('tare');\nbench('x', () => 5);\n",
    'tare': '#!/bin/sh\necho "$@"\nexit 10\n',
  });
  fs.chmodSync(path.join(folder, 'tare'), 0o755);
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(FRONT_END, path.join(folder, 'node_modules', 'tare'));
  const done = run(folder, 'env', `TARE=${path.join(folder, 'tare')}`, 'node', 'a.js', '--quick');
  assert.match(done.out, /^run \S*a\.js --quick\n$/, done.all);
  assert.equal(done.status, 10);
});

test('the built packages give the front end and the command', { skip: lacks('npm') }, () => {
  const folder = place({
    'package.json': '{"name": "x", "version": "1.0.0"}',
    'b.mjs': "import { bench, main } from 'tare';\nbench('x', () => 6);\nawait main();\n",
    // The program itself is large: what is packed starts it.
    program: `#!/bin/sh\nexec '${TARE}' "$@"\n`,
  });
  const environment = { ...process.env, TARE_PROGRAM: path.join(folder, 'program') };
  const built = spawnSync('node', [path.join(FRONT_END, 'packaging', 'build.mjs'), folder], { encoding: 'utf8', env: environment });
  assert.equal(built.status, 0, built.stderr);
  const packages = built.stdout.trim().split('\n');
  assert.equal(packages.length, 2, built.stdout);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', path.join(folder, '.npm')];
  const installed = run(folder, 'npm', 'install', ...packages, ...quiet);
  assert.equal(installed.status, 0, installed.all);
  assert.match(run(folder, 'node', 'b.mjs').out, /^x {2}ran {2}6$/m);
  for (const name of ['tare', `@tare/${process.platform}-${process.arch}`]) {
    for (const file of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE']) {
      assert.ok(fs.existsSync(path.join(folder, 'node_modules', name, file)), `${name}/${file}`);
    }
  }
  const command = path.join(folder, 'node_modules', '.bin', 'tare');
  assert.equal(run(folder, command, 'list', 'b.mjs').out.trim(), 'x');
  // Its exit code is that of the program.
  assert.equal(run(folder, command, 'list', 'no-such-file.mjs').status, tare(folder, 'list', 'no-such-file.mjs').status);
});
