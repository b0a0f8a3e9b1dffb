'use strict';
// The entry point of a program with benchmarks: answers `tare`, turns into `tare run`, or runs each body once.

const { spawnSync } = require('node:child_process');
const declare = require('./declare.js');
const { Opened } = require('./opened.js');
const { textOf, beginning } = require('./text.js');

async function once(one) {
  const opened = await Opened.of(one, 0);
  await opened.step('iteration-set-up');
  const text = textOf(await opened.once());
  await opened.step('iteration-clean-up');
  await opened.step('clean-up');
  return `ran${text === null ? '' : `  ${beginning(text, 60)}`}`;
}

async function quick() {
  for (const one of declare.cases()) {
    const { options } = one;
    const parameters = one.parameters.map((p) => `${p.name}=${p.text}`).join(', ');
    const title = `${one.group ? `${one.group}/` : ''}${one.name}${parameters ? `[${parameters}]` : ''}`;
    const reason = one.invalid ?? (options.skip ? `skipped: ${options.skip}` : one.apart);
    if (reason) {
      console.log(`${title}  ${reason}`);
      continue;
    }
    try {
      console.log(`${title}  ${await once(one)}`);
    } catch (error) {
      const { message, file, line } = error.members ?? error;
      console.log(`${title}  failed: ${message}${file ? ` at ${file}:${line}` : ''}`);
      process.exitCode = 1;
    }
  }
  console.log('hint: `tare` on the PATH measures them; `cargo install --path crates/cli` in a clone of Tare installs it');
}

/** Measures with `tare`. Returns false if there is none, or if it is not wanted. */
function measured() {
  const [, file, ...rest] = process.argv;
  if (!file || process.env.TARE_DIRECT === '1') {
    return false;
  }
  const { error, status } = spawnSync(process.env.TARE || 'tare', ['run', file, ...rest], { stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    return false;
  }
  if (error) {
    console.error(`error: \`tare\` cannot be started: ${error.message}`);
  }
  process.exitCode = status ?? 1;
  return true;
}

let isStarted = false;

/** Call it after all declarations. In a file started by `tare run` it is not needed, and does nothing. */
async function main() {
  if (isStarted) {
    return;
  }
  isStarted = true;
  await declare.settled();
  const link = process.env.TARE_LINK;
  delete process.env.TARE_LINK;
  if (link !== undefined) {
    await require('./child.js').serve(link);
  } else if (!measured()) {
    await quick();
  }
}

module.exports = { main };
