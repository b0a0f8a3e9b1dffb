'use strict';
// The entry point for CommonJS: `const { bench, group } = require('tare')`.

const { bench, cases, group } = require('./lib/declare.js');
const { input } = require('./lib/loop.js');
const { once } = require('./lib/once.js');
const { main } = require('./lib/main.js');

// A file that is started directly need not call `main()`.
if (require('node:worker_threads').isMainThread) {
  process.once('beforeExit', () => (cases().length > 0 ? main() : undefined));
}

module.exports = { bench, group, input, once, main };
