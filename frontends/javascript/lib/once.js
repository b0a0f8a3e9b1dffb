'use strict';
// Set-up done once per run instead of in every process (R27).

const { JSON, Number, String, process, fs } = require('./own.js');
const os = require('node:os');
const path = require('node:path');

const kept = new Map();

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function isAlive(process_) {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The outcome left by the first process: a value, or an error. */
function outcome(file, name) {
  const { value, failure } = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (failure !== undefined) {
    throw new Error(`\`${name}\` could not be made: ${failure}`);
  }
  return value;
}

function leave(file, content) {
  const begun = `${file}.${process.pid}`;
  fs.writeFileSync(begun, JSON.stringify(content));
  fs.renameSync(begun, file);
}

function make(file, name, maker, folder) {
  try {
    const value = maker(folder);
    if (value && typeof value.then === 'function') {
      throw new TypeError('what is made once must not be asynchronous');
    }
    leave(file, { value });
  } catch (error) {
    leave(file, { failure: String(error?.message ?? error) });
    throw error;
  }
  return outcome(file, name);
}

/**
 * Makes something in one process of the run; all others get the same value. `maker` gets a folder that lasts as long as the run, and
 * returns a value that JSON can represent.
 */
function once(name, maker) {
  if (kept.has(name)) {
    return kept.get(name);
  }
  const own = process.env.TARE_RUN_FOLDER ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'tare-once-'));
  if (own) {
    process.on('exit', () => fs.rmSync(own, { recursive: true, force: true }));
  }
  const base = own ?? process.env.TARE_RUN_FOLDER;
  const folder = path.join(base, `once-${encodeURIComponent(name).replace(/\*/g, '%2A')}`);
  const [lock, file] = [path.join(folder, '.maker'), path.join(folder, '.value')];
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  let value;
  for (;;) {
    if (fs.existsSync(file)) {
      value = outcome(file, name);
      break;
    }
    let isFirst = true;
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw error;
      }
      isFirst = false;
    }
    if (isFirst) {
      value = make(file, name, maker, folder);
      break;
    }
    const maker_ = Number(fs.readFileSync(lock, 'utf8'));
    if (maker_ && !isAlive(maker_) && !fs.existsSync(file)) {
      leave(file, { failure: 'the process that made it has ended' });
    }
    sleep(2);
  }
  kept.set(name, value);
  return value;
}

module.exports = { once };
