'use strict';
// Benchmarks written for vitest: `import { bench, describe } from '@tare/vitest'`.

const declare = require('../lib/declare.js');

function optionsOf(options = {}) {
  const { setup, teardown } = options;
  return { ...(setup ? { setup: () => setup(undefined, 'run') } : {}), ...(teardown ? { teardown: () => teardown(undefined, 'run') } : {}) };
}

const bench = (name, code, options) => { declare.bench(nameOf(name), () => code(), optionsOf(options)); };
bench.skip = (name, code, options) => { declare.bench.skip(nameOf(name), () => code(), optionsOf(options)); };
bench.only = (name, code, options) => { declare.bench.only(nameOf(name), () => code(), optionsOf(options)); };
bench.todo = (name) => { declare.bench.skip(nameOf(name), () => undefined, { skip: 'it is marked `todo`' }); };

function nameOf(name) {
  return typeof name === 'function' ? name.name || 'anonymous' : name;
}

const describe = (name, code) => declare.group(nameOf(name), code);
describe.skip = () => {};
describe.only = describe;

module.exports = { bench, describe, suite: describe };
