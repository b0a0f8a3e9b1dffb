// The hooks for versions of Node that run them in a separate thread.

import { createRequire } from 'node:module';

let chosen;

export function initialize({ file }) {
  chosen = createRequire(import.meta.url)('./hooks.js').hooks(file);
}

export function resolve(name, context, next) {
  return chosen.resolve(name, context, next);
}

export function load(url, context, next) {
  return chosen.load(url, context, next);
}
