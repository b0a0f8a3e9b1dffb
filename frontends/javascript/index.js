'use strict';
// What a file with benchmarks needs: `const { bench, group } = require('tare')`.

const { bench, cases, group } = require('./lib/declare.js');
const { input } = require('./lib/loop.js');
const { once } = require('./lib/once.js');
const { main } = require('./lib/main.js');

// A file that is started by itself may leave `main()` out.
if (require('node:worker_threads').isMainThread) {
  process.once('beforeExit', () => (cases().length > 0 ? main() : undefined));
}

module.exports = { bench, group, input, once, main };
