'use strict';
// What `import` asks before it loads a file.

const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { own, compilerFor, formatOf, TYPESCRIPT } = require('./load.js');

/** TypeScript lets a file be imported by the name that it has once it is compiled. */
function typescriptOf(name, parent) {
  if (!/^\.{0,2}\//.test(name) || !parent?.startsWith('file:') || !TYPESCRIPT.test(fileURLToPath(parent))) {
    return null;
  }
  const wanted = path.resolve(path.dirname(fileURLToPath(parent)), name);
  if (fs.existsSync(wanted) && fs.statSync(wanted).isFile()) {
    return null;
  }
  const candidates = [wanted.replace(/\.([cm]?)js$/, '.$1ts'), `${wanted}.ts`, `${wanted}.js`, path.join(wanted, 'index.ts'), path.join(wanted, 'index.js')];
  const found = candidates.find((candidate) => candidate !== wanted && fs.existsSync(candidate));
  return found ? pathToFileURL(found).href : null;
}

/** The hooks; they answer at once, or with a promise where the next one does. */
function hooks(file) {
  let compile;
  const compiler = () => {
    compile = compile === undefined ? compilerFor(file) : compile;
    return compile;
  };
  return {
    resolve(name, context, next) {
      const found = own(name, true, context.parentURL);
      const url = found ? pathToFileURL(found).href : typescriptOf(name, context.parentURL);
      return url ? { url, shortCircuit: true, ...(TYPESCRIPT.test(url) ? { format: formatOf(fileURLToPath(url)) } : {}) } : next(name, context);
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || !TYPESCRIPT.test(new URL(url).pathname)) {
        return next(url, context);
      }
      const at = fileURLToPath(url);
      const compile_ = compiler();
      if (!compile_) {
        return next(url, context);
      }
      const format = formatOf(at);
      const source = compile_(fs.readFileSync(at, 'utf8'), at, format === 'commonjs' ? 'cjs' : 'esm');
      return { format, source, shortCircuit: true };
    },
  };
}

module.exports = { hooks };
