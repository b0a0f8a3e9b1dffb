'use strict';
// Started by `tare` as `node start.js FILE`. Makes `tare` resolvable from the file, compiles TypeScript, and answers once everything is declared.

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { install } = require('./lib/load.js');
const { settled } = require('./lib/declare.js');
const { main } = require('./lib/main.js');
const { hintFor, show } = require('./lib/hints.js');
const { placeIn } = require('./lib/place.js');

const file = path.resolve(process.argv[2]);
// Show the program the arguments of a direct start.
process.argv.splice(1, 2, file);

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
  try {
    await import(pathToFileURL(file).href);
    await settled();
  } catch (error) {
    const { file: at, line } = placeIn(error);
    const where = at === undefined ? '' : `, ${path.basename(at)}:${line}`;
    console.error(`hint: ${hintFor(error) ?? `it threw while it was loaded${where}: to leave the file out, name the others in place of the folder`}`);
    if (show(error, __dirname)) {
      process.exit(1);
    }
    throw error;
  }
  process.off('beforeExit', waits);
  await main();
}

start();
