'use strict';
// A temporary folder for a test, and programs that run in it.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const FRONT_END = path.dirname(__dirname);
const ROOT = path.join(FRONT_END, '..', '..');
const TARE = process.env.TARE_PROGRAM || path.join(ROOT, 'target', 'debug', 'tare');
/** The minimum needed to see measurements. */
const FEW = ['--launches', '1', '--rounds', '2'];

const folders = [];
process.on('exit', () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** A new folder with these files. */
function place(files = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tare-javascript-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

function run(folder, program, ...words) {
  const environment = { ...process.env, XDG_CACHE_HOME: path.join(folder, '.cache') };
  const done = spawnSync(program, words, { cwd: folder, encoding: 'utf8', env: environment });
  assert.equal(done.error, undefined);
  return { status: done.status, out: done.stdout, all: done.stdout + done.stderr };
}

const tare = (folder, ...words) => run(folder, TARE, ...words);

/** The output of a file that is run directly: one process instead of one per benchmark. */
function once(file) {
  const code = `import { main } from 'tare'; await import(${JSON.stringify(file)}); await main();`;
  const done = run(place({ 'start.mjs': code }), 'node', path.join(FRONT_END, 'start.js'), 'start.mjs');
  assert.equal(done.status, 0, done.all);
  return Object.fromEntries([...done.out.matchAll(/^(.+?) {2}(?:ran(?: {2})?|skipped: )?(.*)$/gm)].map((m) => [m[1], m[2]]));
}
/** The reason to skip a test that needs a program, if it is missing. */
/** Why a test that needs a program is left out, if it is. */
const lacks = (program) => spawnSync(program, ['--version']).status !== 0 && `${program} is not installed`;

module.exports = { FEW, FRONT_END, ROOT, TARE, lacks, once, place, run, tare };
