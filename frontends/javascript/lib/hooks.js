'use strict';
// Hooks that `import` calls before it loads a file.

const fs = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { checkoutOf, moved } = require('./checkout.js');
const { own } = require('./load.js');
const { compilerFor, formatOf, typescriptOf, TYPESCRIPT } = require('./typescript.js');

/** The hooks. They answer synchronously, or with a promise if the next hook does. */
function hooks(file) {
  let compile;
  const compiler = () => {
    compile = compile === undefined ? compilerFor(file) : compile;
    return compile;
  };
  const checkout = checkoutOf(file);
  const at = (found) => ({
    url: pathToFileURL(found).href,
    shortCircuit: true,
    ...(TYPESCRIPT.test(found) ? { format: formatOf(found) } : {}),
  });
  return {
    resolve(name, context, next) {
      const parent = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : null;
      const found = own(name, true, context.parentURL) ?? typescriptOf(name, parent);
      if (found) {
        return at(found);
      }
      const ofSide = (resolved) => {
        const there = resolved.url.startsWith('file:') ? moved(fileURLToPath(resolved.url), checkout) : null;
        return there ? at(there) : resolved;
      };
      const resolved = next(name, context);
      return typeof resolved.then === 'function' ? resolved.then(ofSide) : ofSide(resolved);
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || !TYPESCRIPT.test(new URL(url).pathname)) {
        return next(url, context);
      }
      const place = fileURLToPath(url);
      const compile_ = compiler();
      if (!compile_) {
        return next(url, context);
      }
      const format = formatOf(place);
      const source = compile_(fs.readFileSync(place, 'utf8'), place, format === 'commonjs' ? 'cjs' : 'esm');
      return { format, source, shortCircuit: true };
    },
  };
}

module.exports = { hooks };
