'use strict';
// TypeScript: which compiler the project has, what its settings mean for it, and which file an import names.

const Module = require('node:module');
const path = require('node:path');
const fs = require('node:fs');

const TYPESCRIPT = /\.(?:[cm]?ts|tsx)$/;
/** The endings of the sources of a file that is imported without one, or as a folder. */
const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js'];
/** How far one `tsconfig.json` leads to another. */
const DEPTH = 8;
/** Settings of `tsconfig.json` that change what code means. */
const SETTINGS = ['experimentalDecorators', 'emitDecoratorMetadata', 'useDefineForClassFields', 'jsx', 'jsxFactory', 'jsxFragmentFactory', 'jsxImportSource'];

/** Compilers of TypeScript, the best first: how each makes JavaScript of a text. */
const COMPILERS = {
  esbuild: (esbuild, text, file, format) => esbuild.transformSync(text, {
    // The names of a CommonJS module are marked for `import` only on this platform.
    platform: 'node', loader: file.endsWith('x') ? 'tsx' : 'ts', format, sourcefile: file, sourcemap: 'inline',
    target: `node${process.versions.node}`, tsconfigRaw: { compilerOptions: chosen(file) },
  }).code,
  '@swc/core': (swc, text, file, format) => {
    const { experimentalDecorators, emitDecoratorMetadata, useDefineForClassFields } = chosen(file);
    return swc.transformSync(text, {
      filename: file, sourceMaps: 'inline', module: { type: format === 'cjs' ? 'commonjs' : 'es6' },
      jsc: {
        parser: { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true }, target: 'es2022',
        transform: { legacyDecorator: experimentalDecorators, decoratorMetadata: emitDecoratorMetadata, useDefineForClassFields },
      },
    }).code;
  },
  typescript: (typescript, text, file, format) => typescript.transpileModule(text, {
    fileName: file,
    compilerOptions: {
      ...typescript.convertCompilerOptionsFromJson(chosen(file), path.dirname(file)).options,
      target: typescript.ScriptTarget.ES2022, module: format === 'cjs' ? typescript.ModuleKind.CommonJS : typescript.ModuleKind.ESNext,
      inlineSourceMap: true, inlineSources: true,
    },
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
  const advice = 'Node 22.13 and later have one; or add one to the project: `npm install --save-dev esbuild`';
  throw Object.assign(new Error(`no compiler of TypeScript was found for ${file}`), { advice });
}

/** Whether a file is a module: by its suffix, or the nearest `package.json`. */
function formatOf(file) {
  const suffix = path.extname(file);
  if (suffix === '.mts' || suffix === '.cts') {
    return suffix === '.mts' ? 'module' : 'commonjs';
  }
  const manifest = above(file, 'package.json');
  // TypeScript is written as modules; without a word about it, it is one.
  return manifest && JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'commonjs' ? 'commonjs' : 'module';
}

/** The nearest file of this name in a folder above. */
function above(file, name) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = path.join(folder, name);
    if (fs.existsSync(found)) {
      return found;
    }
    if (folder === path.dirname(folder)) {
      return null;
    }
  }
}

/** JSON that may have comments and commas at the end of lists. Nothing else of a text in quotes is changed. */
function parsed(text) {
  const plain = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted) => quoted ?? ' ');
  return JSON.parse(plain.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted) => quoted ?? ''));
}

/** What a `tsconfig.json` says; nothing where it cannot be read. */
function json(file) {
  try {
    return parsed(fs.readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** The settings of a `tsconfig.json` over those that it extends, and the folder from which its `paths` count. `top`: of the first of them. */
function read(file, depth = 0, top = path.dirname(file)) {
  const said = json(file);
  let { options, base } = { options: {}, base: path.dirname(file) };
  for (const name of depth < DEPTH ? [said.extends ?? []].flat() : []) {
    const inner = extended(file, name);
    if (inner) {
      const { options: more, base: other } = read(inner, depth + 1, top);
      options = { ...options, ...more };
      base = more.paths || more.baseUrl ? other : base;
    }
  }
  const own = inFolder(said.compilerOptions ?? {}, top);
  if (own.baseUrl !== undefined) {
    base = path.resolve(path.dirname(file), own.baseUrl);
  } else if (own.paths && options.baseUrl === undefined) {
    base = path.dirname(file);
  }
  return { options: { ...options, ...own }, base };
}

/** Options with the folder of the first `tsconfig.json` in place of `${configDir}`. */
function inFolder(options, top) {
  return JSON.parse(JSON.stringify(options), (_, value) => (typeof value === 'string' ? value.replace(/^\$\{configDir\}/, () => top) : value));
}

/** The file that a `tsconfig.json` extends: one beside it, or of a package. */
function extended(file, name) {
  const find = Module.createRequire(file);
  for (const one of [name, `${name}.json`, `${name}/tsconfig.json`]) {
    try {
      return find.resolve(one);
    } catch {
      continue;
    }
  }
  return null;
}

/** Whether a `tsconfig.json` is about a file, by its `files`, `include` and `exclude`. */
function isAbout(config, file) {
  const said = json(config);
  const fits = (pattern) => {
    const whole = inFolder({ pattern }, path.dirname(config)).pattern.replace(/\/+$/, '').replace(/(^|\/)\*\*$/, '$1**/*');
    const glob = /[*?]/.test(whole) || path.extname(whole) ? whole : `${whole}/**/*`;
    const plain = path.resolve(path.dirname(config), glob).replace(/[.+^${}()|[\]\\]/g, '\\$&');
    const rule = plain.replace(/\*\*\/|\*|\?/g, (wild) => ({ '**/': '(?:.*/)?', '*': '[^/]*', '?': '[^/]' })[wild]);
    return new RegExp(`^${rule}$`).test(file);
  };
  const include = said.include ?? (said.files ? [] : ['**/*']);
  return (said.files ?? []).some((one) => path.resolve(path.dirname(config), one) === file)
    || (include.some(fits) && !(said.exclude ?? []).some(fits));
}

/** The `tsconfig.json` of a file: the nearest, or the one of its `references` that is about the file where itself is not. */
function configOf(file) {
  const nearest = /[\\/]node_modules[\\/]/.test(file) ? null : above(file, 'tsconfig.json');
  const of = (config, depth) => {
    if (isAbout(config, file)) {
      return config;
    }
    const others = depth < DEPTH ? (json(config).references ?? []) : [];
    const named = others.map(({ path: one }) => path.resolve(path.dirname(config), one));
    const files = named.map((one) => (one.endsWith('.json') ? one : path.join(one, 'tsconfig.json')));
    return files.filter(isFile).map((one) => of(one, depth + 1)).find(Boolean);
  };
  return nearest && (of(nearest, 0) ?? nearest);
}

const known = new Map();

/** The settings for a file. */
function settings(file) {
  const config = configOf(file);
  if (!known.has(config)) {
    known.set(config, config ? read(config) : { options: {}, base: '' });
  }
  return known.get(config);
}

/** Those that the compiler of a file is told. */
function chosen(file) {
  const { options } = settings(file);
  return Object.fromEntries(SETTINGS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}

/** The places that `paths` and `baseUrl` of `tsconfig.json` name, for what is no path itself. */
function mapped(name, parent) {
  const { options, base } = settings(parent);
  const places = [];
  for (const [pattern, targets] of Object.entries(options.paths ?? {})) {
    const [begin, end] = pattern.split('*');
    const fits = end === undefined ? name === pattern : name.length >= pattern.length - 1 && name.startsWith(begin) && name.endsWith(end);
    if (fits) {
      const middle = end === undefined ? '' : name.slice(begin.length, name.length - end.length);
      places.push(...targets.map((target) => path.resolve(base, target.replace('*', () => middle))));
    }
  }
  return options.baseUrl === undefined || Module.isBuiltin(name) ? places : [...places, path.resolve(base, name)];
}

const isFile = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/**
 * The source that a file of TypeScript imports: TypeScript lets a file be imported by the name that it has once it is compiled, and without
 * an ending. Null: it is what the runtime finds.
 */
function typescriptOf(name, parent) {
  if (!parent || !TYPESCRIPT.test(parent)) {
    return null;
  }
  const isPath = /^\.{0,2}\//.test(name) || name === '.' || name === '..';
  for (const wanted of isPath ? [path.resolve(path.dirname(parent), name)] : mapped(name, parent)) {
    if (isFile(wanted)) {
      return isPath ? null : wanted;
    }
    const renamed = [wanted.replace(/\.([cm]?)js$/, '.$1ts'), wanted.replace(/\.jsx?$/, '.tsx')].filter((one) => one !== wanted);
    const all = [...renamed, ...ENDINGS.map((ending) => wanted + ending), ...ENDINGS.map((ending) => path.join(wanted, `index${ending}`))];
    const found = all.find(isFile);
    if (found) {
      return found;
    }
  }
  return null;
}

module.exports = { TYPESCRIPT, compilerFor, formatOf, typescriptOf };
