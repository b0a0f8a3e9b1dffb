#!/usr/bin/env node
'use strict';
// The command `tare` of the package: starts this platform's program, which is in a separate package.

const { spawnSync } = require('node:child_process');

const name = `@tare/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/tare`);
} catch {
  process.stderr.write(`error: the package \`${name}\` is not installed\n\nhint: install it: \`npm install ${name}\`; optional packages must not be left out\n`);
  process.exit(2);
}
// Ctrl-C and similar signals reach the program too, which reports what it has kept.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {});
}
const done = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (done.error) {
  process.stderr.write(`error: cannot start \`${program}\`: ${done.error.message}\n`);
  process.exit(2);
}
if (done.signal) {
  process.removeAllListeners(done.signal);
  process.kill(process.pid, done.signal);
}
process.exit(done.status ?? 1);
