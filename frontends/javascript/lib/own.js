'use strict';
// Globals and modules as they were before the user's code was loaded, which may replace what is in them: fake clocks, mocks, polyfills.

/** An object with the same members; for a function, one that can be called alike. */
function copyOf(source) {
  const copy = typeof source === 'function' ? source.bind(undefined) : {};
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
    if (name !== 'name' && name !== 'length') {
      Object.defineProperty(copy, name, member);
    }
  }
  return copy;
}

/** `process` with its own methods. What is no method is read when it is used. */
function copyOfProcess() {
  const copy = Object.create(process);
  for (const name of ['cpuUsage', 'exit', 'kill', 'memoryUsage', 'on', 'reallyExit', 'threadCpuUsage']) {
    copy[name] = process[name]?.bind(process);
  }
  return copy;
}

const NAMES = ['Array', 'Buffer', 'JSON', 'Math', 'Number', 'Object', 'String'];

module.exports = {
  ...Object.fromEntries(NAMES.map((name) => [name, copyOf(globalThis[name])])),
  process: copyOfProcess(),
  fs: copyOf(require('node:fs')),
  replace: Function.prototype.call.bind(String.prototype.replace),
};
