'use strict';
// The diagnosers of a program: a profile of the body, and the code that V8 has compiled for it.

const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const { JSON, Object, String, process, fs } = require('./own.js');
const machine = require('./machine.js');
const { Refused } = require('./opened.js');

/** Microseconds between two samples. */
const INTERVAL_US = 500;
/** The name for time in the measuring loop itself. */
const OWN = 'tare';
const OPENED = path.join(__dirname, 'opened.js');
/** The length at which a listing is truncated. */
const LISTING_MAX = 8 << 20;
/** The longest text of a line that is reported. */
const TEXT_MAX = 60;
/** V8 does not report inlined functions, so inlining is off while samples are taken. */
const KEEP_APART = ['--no-turbo-inlining', '--no-maglev-inlining', '--max-inlined-bytecode-size=0', '--max-inlined-bytecode-size-small=0'];

const isNode = !process.versions.bun && !process.versions.deno;

/** The diagnosers available in this runtime. */
const DIAGNOSERS = [
  ...(isNode && hasInspector() ? [{ name: 'profile', metrics: [], gives: ['stacks', 'attachments'] }] : []),
  ...(isNode && machine.tellsCompilations ? [{ name: 'code', metrics: [], gives: ['attachments'] }] : []),
];

function hasInspector() {
  try {
    return typeof require('node:inspector').Session === 'function';
  } catch {
    return false;
  }
}

/** Samples of the main thread, taken by V8. */
class Profile {
  constructor(opened) {
    // V8 guesses a name for an anonymous function from its context.
    this.body = opened.body.name === '' ? opened.case.name : null;
  }

  start() {
    const { Session } = require('node:inspector');
    this.session = new Session();
    this.session.connect();
    KEEP_APART.forEach((flag) => v8.setFlagsFromString(flag));
    this.post('Profiler.enable');
    // Counting calls makes V8 discard all compiled code.
    this.post('Profiler.startPreciseCoverage', { callCount: true });
    this.post('Profiler.stopPreciseCoverage');
    this.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    this.recompileExpressions();
    this.post('Profiler.start');
  }

  /** V8 only names the code of regular expressions compiled from now on; before, their time is attributed to their callers. */
  recompileExpressions() {
    this.ofAll('RegExp.prototype', recompile);
  }

  /** Calls a function on the list of all objects with this prototype. */
  ofAll(prototype, asks) {
    const { result } = this.post('Runtime.evaluate', { expression: prototype });
    const { objects } = this.post('Runtime.queryObjects', { prototypeObjectId: result.objectId });
    const asked = { objectId: objects.objectId, functionDeclaration: String(asks), returnByValue: true };
    return this.post('Runtime.callFunctionOn', asked).result.value;
  }

  /** How V8 represents the objects in memory: those without a fast form, and those with many shapes. */
  kept() {
    v8.setFlagsFromString('--allow-natives-syntax');
    try {
      const sparse = this.ofAll('Array.prototype', 'function () { return this.filter((one) => %HasDictionaryElements(one)).length; }');
      // Prototypes, which have a constructor, are always in dictionary mode.
      const slow = this.ofAll('Object.prototype', `function () { return this.filter((one) => typeof one === 'object' && !%HasFastProperties(one) && !Object.hasOwn(one, 'constructor')).length; }`);
      const shapes = this.ofAll('Object.prototype', countShapes);
      return { 'in memory: arrays in dictionary mode': sparse, 'in memory: objects in dictionary mode': slow, 'in memory: shapes of objects, of 50 or more each': shapes };
    } finally {
      v8.setFlagsFromString('--no-allow-natives-syntax');
    }
  }

  /** The session's answer, which arrives synchronously. */
  post(method, parameters) {
    let answer = null;
    this.session.post(method, parameters, (error, result) => {
      if (error) {
        throw new Refused('not-supported', `V8 refuses \`${method}\`: ${error.message}`);
      }
      answer = result;
    });
    return answer;
  }

  beforeLast() {}

  end() {
    this.session?.disconnect();
    this.session = null;
  }

  found() {
    const { profile } = this.post('Profiler.stop');
    const text = 'functions are kept apart while samples are taken: none is inlined into another one';
    const file = { name: 'profile.cpuprofile', title: 'for DevTools and editors', media_type: 'application/json', text: JSON.stringify(profile) };
    const { stacks, facts } = samplesOf(profile, this.body);
    return { stacks, attachments: [file], findings: [{ text }], facts: { ...facts, ...this.kept() } };
  }
}

/** Recompiles each regular expression of a list; those of a derived class cannot be recompiled. */
function recompile() {
  for (const one of this) {
    try {
      const { lastIndex } = one;
      one.compile(one.source, one.flags);
      one.lastIndex = lastIndex;
    } catch {
      continue;
    }
  }
}

/** The number of shapes (orders of properties) that at least 50 plain objects of a list share. */
function countShapes() {
  const counts = new Map();
  for (const one of this) {
    if (Object.getPrototypeOf(one) === Object.prototype) {
      const shape = Object.getOwnPropertyNames(one).join();
      counts.set(shape, (counts.get(shape) ?? 0) + 1);
    }
  }
  return [...counts.values()].filter((count) => count >= 50).length;
}

/** Each stack and each line of a profile with its count, in the protocol's format. If given, `ofBody` replaces the name of the body. */
function samplesOf(profile, ofBody = null) {
  const parents = new Map();
  const counts = new Map();
  const sources = new Map();
  const facts = {};
  for (const node of profile.nodes) {
    (node.children ?? []).forEach((child) => parents.set(child, node));
  }
  for (const node of profile.nodes.filter((one) => one.hitCount > 0)) {
    const frames = [];
    for (let at = node; at !== undefined; at = parents.get(at.id)) {
      frames.unshift(at.callFrame);
    }
    const stack = trimmed(frames.slice(1), ofBody);
    if (stack.length === 0) {
      continue;
    }
    counts.set(stack.join(';'), (counts.get(stack.join(';')) ?? 0) + node.hitCount);
    const file = fileOf(node.callFrame);
    for (const { line, ticks } of path.isAbsolute(file) ? (node.positionTicks ?? []) : []) {
      const fact = `samples at ${path.basename(file)}:${line}: ${textOf(file, line, sources)} in ${stack.at(-1)}`;
      facts[fact] = (facts[fact] ?? 0) + ticks;
    }
  }
  return { stacks: [...counts].map(([stack, count]) => `${stack} ${count}`).sort(), facts };
}

/** The text of a line, from the lines of each file that was read. */
function textOf(file, line, sources) {
  if (!sources.has(file)) {
    sources.set(file, fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []);
  }
  return (sources.get(file)[line - 1] ?? '').trim().slice(0, TEXT_MAX);
}

/** A stack from the body on, without the root; empty between iterations. */
function trimmed(frames, ofBody) {
  if (frames.length === 0 || frames[0].functionName === '(idle)') {
    return [];
  }
  if (frames[0].functionName === '(garbage collector)') {
    return ['[collector]'];
  }
  if (frames[0].functionName === '(program)') {
    return ['[runtime]'];
  }
  const loop = frames.findLastIndex(isLoop);
  if (loop >= 0) {
    const body = frames.slice(loop + 1);
    return body.length > 0 ? [ofBody?.replaceAll(';', ':') ?? nameOf(body[0]), ...body.slice(1).map(nameOf)] : [OWN];
  }
  // A body that awaits something continues without its callers on the stack.
  return frames.some((frame) => fileOf(frame).startsWith(__dirname)) ? [] : frames.map(nameOf);
}

/** Whether this is the measuring loop, which has no file, or the loop of the first calls. */
function isLoop(frame) {
  return (frame.functionName === 'loop' && frame.url === '') || (frame.functionName === 'first' && fileOf(frame) === OPENED);
}

function fileOf({ url }) {
  return url.startsWith('file://') ? require('node:url').fileURLToPath(url) : url;
}

function nameOf(frame) {
  const file = fileOf(frame);
  const place = file === '' ? '' : ` (${path.basename(file)}:${frame.lineNumber + 1})`;
  const name = frame.functionName || 'anonymous';
  return `${name}${frame.functionName === '' || file.startsWith('node:') ? place : ''}`.replaceAll(';', ':');
}

/** V8's listing of the code compiled for a body. */
class Code {
  constructor(opened) {
    this.body = opened.body;
    this.loop = opened.loop().workload;
  }

  start() {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tare-code-'));
    this.file = path.join(this.folder, 'code.asm');
  }

  /** Recompiles the body with the feedback of its calls so far. */
  beforeLast() {
    v8.setFlagsFromString('--redirect-code-traces');
    v8.setFlagsFromString(`--redirect-code-traces-to=${this.file}`);
    v8.setFlagsFromString('--print-opt-code');
    machine.compileAgain(this.body);
    // The loop's code may include the inlined body.
    machine.forget(this.loop);
  }

  end() {
    v8.setFlagsFromString('--no-print-opt-code');
    v8.setFlagsFromString('--no-redirect-code-traces');
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  found() {
    let text = '';
    try {
      text = fs.readFileSync(this.file, 'latin1');
    } catch {
      // Nothing was compiled.
    }
    const listing = listingOf(text, String(this.body));
    if (listing === null) {
      throw new Refused('not-supported', 'V8 has compiled nothing of the body');
    }
    return { attachments: [{ name: 'code.txt', title: 'machine code of the body, by V8', media_type: 'text/plain', text: listing }] };
  }
}

/** The last listing of a function with this source, in lines with the position in the function and the instruction; null if there is none. */
function listingOf(text, source) {
  const all = text.split('--- Raw source ---\n').slice(1);
  const ofBody = all.filter((one) => {
    const raw = one.slice(0, one.indexOf('\n---')).trimEnd();
    // V8 prints one or two characters after the function too.
    return [0, 1, 2].some((more) => raw.length > more && source.trimEnd().endsWith(raw.slice(0, raw.length - more).trimEnd()));
  });
  const last = ofBody.at(-1);
  const at = last?.indexOf('\nInstructions (size = ') ?? -1;
  if (at < 0) {
    return null;
  }
  const compiler = /^compiler = (.*)$/m.exec(last)?.[1] ?? 'V8';
  const lines = [];
  for (const line of last.slice(at + 1).split('\n').slice(1)) {
    const [, place, instruction] = /^0x[0-9a-f]+ +([0-9a-f]+) +[0-9a-f]+ +(.*)$/.exec(line) ?? [];
    if (place === undefined) {
      break;
    }
    lines.push(`  ${place.padStart(5)}  ${instruction.replace(/^REX\.W /, '').trimEnd()}`);
  }
  const inlined = /\nInlined functions \(count = \d+\)\n((?: .*\n)*)/.exec(last)?.[1] ?? '';
  const names = [...inlined.matchAll(/<SharedFunctionInfo ?([^>]*)>/g)].map(([, name]) => name || 'an anonymous function');
  const head = [`compiled by ${compiler}, ${lines.length} instructions`, ...(names.length > 0 ? [`inlined: ${names.join(', ')}`] : [])];
  return `${[...head, '', ...lines].join('\n')}\n`.slice(0, LISTING_MAX);
}

function diagnoserOf(name, opened) {
  return name === 'profile' ? new Profile(opened) : new Code(opened);
}

module.exports = { DIAGNOSERS, diagnoserOf, samplesOf, listingOf };
