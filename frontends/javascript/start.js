'use strict';
// Started by `tare` as `node start.js FILE`. Makes `tare` resolvable from the file, compiles TypeScript, and answers once everything is declared.

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { install } = require('./lib/load.js');
const { setImmediate } = require('node:timers');
const { settled, hasRun, note } = require('./lib/declare.js');
const { main } = require('./lib/main.js');
const { hintFor, show } = require('./lib/hints.js');
const { placeIn } = require('./lib/place.js');

const file = path.resolve(process.argv[2]);
// Show the program the arguments of a direct start.
process.argv.splice(1, 2, file);

/** What goes wrong beside the file's own statements: in callbacks, and in promises that it does not await. */
const STRAYS = ['unhandledRejection', 'uncaughtException'];

async function load() {
  await import(pathToFileURL(file).href);
  await settled();
  await new Promise((done) => setImmediate(done));
}

async function start() {
  try {
    install(file);
  } catch (error) {
    // Not the file's fault, so its stack is not helpful.
    console.error(`error: ${error.message}`);
    if (error.advice) {
      console.error(`hint: ${error.advice}`);
    }
    process.exit(1);
  }
  const waits = () => {
    console.error(`error: a promise that ${path.basename(file)} awaits while it is loaded never settles: nothing is left that could settle it`);
    process.exit(1);
  };
  process.once('beforeExit', waits);
  let fail;
  const stray = new Promise((_, reject) => { fail = reject; });
  STRAYS.forEach((event) => process.on(event, fail));
  try {
    await Promise.race([load(), stray]);
  } catch (error) {
    const { file: at, line } = placeIn(error);
    const where = at === undefined ? '' : `, ${path.basename(at)}:${line}`;
    if (hasRun()) {
      note(`the file threw behind its call of \`run\`${where}: ${error?.message ?? error}; results are there when \`tare\` has measured`);
      await settled();
    } else {
      console.error(`hint: ${hintFor(error) ?? `it threw while it was loaded${where}: to leave the file out, name the others in place of the folder`}`);
      STRAYS.forEach((event) => process.off(event, fail));
      if (show(error, __dirname)) {
        process.exit(1);
      }
      throw error;
    }
  }
  STRAYS.forEach((event) => process.off(event, fail));
  process.off('beforeExit', waits);
  await main();
}

start();
