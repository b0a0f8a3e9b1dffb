'use strict';
// What a file with benchmarks needs: `const { bench, group } = require('tare')`.

const { bench, group } = require('./lib/declare.js');
const { input } = require('./lib/loop.js');
const { once } = require('./lib/once.js');
const { main } = require('./lib/main.js');

module.exports = { bench, group, input, once, main };
