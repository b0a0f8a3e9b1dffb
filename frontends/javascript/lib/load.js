'use strict';
// Loads a file with benchmarks: `tare` resolves to this front end, and TypeScript is compiled with the project's compiler.

const Module = require('node:module');
const path = require('node:path');
const fs = require('node:fs');
const { checkoutOf, moved } = require('./checkout.js');
const { TYPESCRIPT, compilerFor, typescriptOf } = require('./typescript.js');

const ROOT = path.dirname(__dirname);
/** Libraries whose benchmark files run unchanged. */
const LIBRARIES = ['mitata', 'tinybench', 'vitest'];

/** The adapter that a file imports, by its name or by the library's. Imports by installed packages are left alone. */
function adapterOf(name, importer) {
  const isOfPackage = /[\\/]node_modules[\\/]/.test(importer ?? '');
  return /^@tare\/([a-z]+)$/.exec(name)?.[1] ?? (LIBRARIES.includes(name) && !isOfPackage ? name : undefined);
}

/** The file of this front end for a name imported by `importer`. */
function own(name, isModule, importer) {
  if (name === 'tare') {
    return path.join(ROOT, isModule ? 'index.mjs' : 'index.js');
  }
  const adapter = adapterOf(name, importer);
  const file = adapter && path.join(ROOT, 'adapters', `${adapter}${isModule ? '.mjs' : '.js'}`);
  return file && fs.existsSync(file) ? file : null;
}

function installRequire(file, isTypescript) {
  const resolve = Module._resolveFilename;
  const checkout = checkoutOf(file);
  Module._resolveFilename = function (name, parent, ...rest) {
    const found = own(name, false, parent?.filename) ?? typescriptOf(name, parent?.filename);
    if (found) {
      return found;
    }
    const resolved = resolve.call(this, name, parent, ...rest);
    return moved(resolved, checkout) ?? resolved;
  };
  let compile = isTypescript ? compilerFor(file) : undefined;
  for (const suffix of ['.ts', '.cts', '.tsx']) {
    const before = Module._extensions[suffix];
    Module._extensions[suffix] = (module_, at) => {
      compile = compile === undefined ? compilerFor(file) : compile;
      return compile ? module_._compile(compile(fs.readFileSync(at, 'utf8'), at, 'cjs'), at) : (before ?? Module._extensions['.js'])(module_, at);
    };
  }
}

/** Bun resolves imports itself and only takes a mapping of names. It also compiles TypeScript itself. */
function installBun() {
  const adapters = fs.readdirSync(path.join(ROOT, 'adapters')).filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -3));
  globalThis.Bun.plugin({
    name: 'tare',
    setup(build) {
      for (const name of ['tare', ...LIBRARIES, ...adapters.map((adapter) => `@tare/${adapter}`)]) {
        build.module(name, () => ({ exports: require(own(name, false)), loader: 'object' }));
      }
    },
  });
}

/** For `import`. Hooks run in the same thread (Node 22.15 and later), or in a separate one that sleeps once everything is loaded. */
function install(file) {
  if (process.versions.bun) {
    installBun();
    return;
  }
  installRequire(file, TYPESCRIPT.test(file));
  process.setSourceMapsEnabled?.(true);
  const { hooks } = require('./hooks.js');
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks(hooks(file));
  } else {
    const { pathToFileURL } = require('node:url');
    Module.register(pathToFileURL(path.join(__dirname, 'hooks-thread.mjs')).href, { data: { file } });
  }
}

module.exports = { install, own };
