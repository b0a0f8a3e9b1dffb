'use strict';
// TypeScript: finds the project's compiler, applies its settings, and resolves imports.

const Module = require('node:module');
const path = require('node:path');
const fs = require('node:fs');

const TYPESCRIPT = /\.(?:[cm]?ts|tsx)$/;
/** The extensions to try for an import without one, or of a folder. */
const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js'];
/** The maximum depth of references between `tsconfig.json` files. */
const DEPTH = 8;
/** Settings of `tsconfig.json` that change the meaning of code. */
const SETTINGS = ['experimentalDecorators', 'emitDecoratorMetadata', 'useDefineForClassFields', 'jsx', 'jsxFactory', 'jsxFragmentFactory', 'jsxImportSource'];

/** TypeScript compilers, the best first, with how each one compiles a text. */
const COMPILERS = {
  esbuild: (esbuild, text, file, format) => esbuild.transformSync(text, {
    // Only this platform marks the exported names of a CommonJS module for `import`.
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

/** A function that compiles the file; null if the runtime does it itself. */
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
  // TypeScript without a declared format is treated as a module.
  return manifest && JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'commonjs' ? 'commonjs' : 'module';
}

/** The nearest file with this name in the folders above. */
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

/** Parses JSON with comments and trailing commas. Quoted text is left unchanged. */
function parsed(text) {
  const plain = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted) => quoted ?? ' ');
  return JSON.parse(plain.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted) => quoted ?? ''));
}

/** The content of a `tsconfig.json`; empty if it cannot be read. */
function json(file) {
  try {
    return parsed(fs.readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** The settings of a `tsconfig.json` merged over those it extends, and the base folder of its `paths`. `top` is the folder of the first one. */
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

/** Replaces `${configDir}` in options with the folder of the first `tsconfig.json`. */
function inFolder(options, top) {
  return JSON.parse(JSON.stringify(options), (_, value) => (typeof value === 'string' ? value.replace(/^\$\{configDir\}/, () => top) : value));
}

/** The file that a `tsconfig.json` extends: a relative one, or one in a package. */
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

/** Whether a `tsconfig.json` covers a file, by its `files`, `include` and `exclude`. */
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

/** The `tsconfig.json` of a file: the nearest one, or, if that does not cover the file, the one of its `references` that does. */
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

function settings(file) {
  const config = configOf(file);
  if (!known.has(config)) {
    known.set(config, config ? read(config) : { options: {}, base: '' });
  }
  return known.get(config);
}

/** The settings to pass to the compiler for a file. */
function chosen(file) {
  const { options } = settings(file);
  return Object.fromEntries(SETTINGS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}

/** The candidates from `paths` and `baseUrl` of `tsconfig.json` for a non-relative import. */
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
 * The source file that a TypeScript import refers to: TypeScript allows imports by the name of the compiled file, and without an extension.
 * Null to leave it to the runtime.
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
