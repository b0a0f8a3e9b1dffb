'use strict';
// What `import` asks before it loads a file.

const fs = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { own } = require('./load.js');
const { compilerFor, formatOf, typescriptOf, TYPESCRIPT } = require('./typescript.js');

/** The hooks; they answer at once, or with a promise where the next one does. */
function hooks(file) {
  let compile;
  const compiler = () => {
    compile = compile === undefined ? compilerFor(file) : compile;
    return compile;
  };
  return {
    resolve(name, context, next) {
      const parent = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : null;
      const found = own(name, true, context.parentURL) ?? typescriptOf(name, parent);
      const url = found ? pathToFileURL(found).href : null;
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
