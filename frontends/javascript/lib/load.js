'use strict';
// How a file with benchmarks is loaded: `tare` is this front end, and TypeScript is compiled by what the project has.

const Module = require('node:module');
const path = require('node:path');
const fs = require('node:fs');

const ROOT = path.dirname(__dirname);
/** Libraries whose files run as they are. */
const LIBRARIES = ['mitata', 'tinybench', 'vitest'];
const TYPESCRIPT = /\.[cm]?ts$/;

/** Compilers of TypeScript, the best first: how each makes JavaScript of a text. */
const COMPILERS = {
  esbuild: (esbuild, text, file, format) => esbuild.transformSync(text, {
    loader: 'ts', format, sourcefile: file, sourcemap: 'inline', target: `node${process.versions.node}`,
  }).code,
  '@swc/core': (swc, text, file, format) => swc.transformSync(text, {
    filename: file, sourceMaps: 'inline', jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: format === 'cjs' ? 'commonjs' : 'es6' },
  }).code,
  typescript: (typescript, text, file, format) => typescript.transpileModule(text, {
    fileName: file,
    compilerOptions: { target: 'ES2022', module: format === 'cjs' ? 'CommonJS' : 'ESNext', inlineSourceMap: true, inlineSources: true },
  }).outputText,
};

/** A function that compiles; null: the runtime does it itself. */
function compilerFor(file) {
  const find = Module.createRequire(file);
  for (const [name, compile] of Object.entries(COMPILERS)) {
    try {
      const compiler = find(name);
      if (name !== 'typescript' || compiler.transpileModule) {
        return (text, path_, format) => compile(compiler, text, path_, format);
      }
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') {
        throw error;
      }
    }
  }
  if (process.features.typescript) {
    return null;
  }
  if (typeof Module.stripTypeScriptTypes === 'function') {
    return (text) => Module.stripTypeScriptTypes(text);
  }
  throw new Error(`no compiler of TypeScript was found for ${file}: Node 22.13 and later have one, or add \`esbuild\` to the project`);
}

/** Whether a file is a module: by its suffix, or the nearest `package.json`. */
function formatOf(file) {
  const suffix = path.extname(file);
  if (suffix === '.mts' || suffix === '.cts') {
    return suffix === '.mts' ? 'module' : 'commonjs';
  }
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (fs.existsSync(manifest)) {
      const type = JSON.parse(fs.readFileSync(manifest, 'utf8')).type;
      // TypeScript is written as modules; without a word about it, it is one.
      return type === 'commonjs' ? 'commonjs' : 'module';
    }
    if (folder === path.dirname(folder)) {
      return 'module';
    }
  }
}

/** The adapter that a file imports by its name, or by the name of the library that it stands for. Packages of others get what they ask for. */
function adapterOf(name, importer) {
  const isOfPackage = /[\\/]node_modules[\\/]/.test(importer ?? '');
  return /^@tare\/([a-z]+)$/.exec(name)?.[1] ?? (LIBRARIES.includes(name) && !isOfPackage ? name : undefined);
}

/** The file of this front end that a name stands for where `importer` imports it. */
function own(name, isModule, importer) {
  if (name === 'tare') {
    return path.join(ROOT, isModule ? 'index.mjs' : 'index.js');
  }
  const adapter = adapterOf(name, importer);
  const file = adapter && path.join(ROOT, 'adapters', `${adapter}${isModule ? '.mjs' : '.js'}`);
  return file && fs.existsSync(file) ? file : null;
}

/** For `require`. */
function installRequire(compile) {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (name, parent, ...rest) {
    return own(name, false, parent?.filename) ?? resolve.call(this, name, parent, ...rest);
  };
  if (compile) {
    for (const suffix of ['.ts', '.cts']) {
      Module._extensions[suffix] = (module_, file) => module_._compile(compile(fs.readFileSync(file, 'utf8'), file, 'cjs'), file);
    }
  }
}

/** Bun resolves by itself, and is told what the names stand for. It compiles TypeScript itself too. */
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

/** For `import`, where hooks run in the same thread (Node 22.15 and later), or else in a thread of their own, which sleeps when all is loaded. */
function install(file) {
  if (process.versions.bun) {
    installBun();
    return;
  }
  const compile = TYPESCRIPT.test(file) ? compilerFor(file) : null;
  installRequire(compile);
  process.setSourceMapsEnabled?.(true);
  const { hooks } = require('./hooks.js');
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks(hooks(file));
  } else {
    const { pathToFileURL } = require('node:url');
    Module.register(pathToFileURL(path.join(__dirname, 'hooks-thread.mjs')).href, { data: { file } });
  }
}

module.exports = { install, own, compilerFor, formatOf, TYPESCRIPT };
