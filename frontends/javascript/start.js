'use strict';
// What `tare` starts: `node start.js FILE`. It finds `tare` for the file wherever that is, compiles TypeScript, and answers when all is declared.

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { install } = require('./lib/load.js');
const { settled } = require('./lib/declare.js');
const { main } = require('./lib/main.js');
const { hintFor, show } = require('./lib/hints.js');
const { placeIn } = require('./lib/place.js');

const file = path.resolve(process.argv[2]);
// The program sees itself as if it had been started alone.
process.argv.splice(1, 2, file);

async function start() {
  try {
    install(file);
  } catch (error) {
    // Not a fault of the file: where it was thrown says nothing.
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
