'use strict';
// Hints about files that cannot be loaded, and suggestions for misspelt names.

const EXPORTS = ['bench', 'group', 'input', 'once', 'main'];
const ADAPTERS = ['@tare/mitata', '@tare/tinybench', '@tare/vitest'];

/** The edit distance of two words: characters to change, insert, delete or swap. */
function distance(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = rows[i - 1][j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(Math.min(changed, rows[i - 1][j] + 1, row[j - 1] + 1, isSwapped ? rows[i - 2][j - 2] + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}

/** The most similar name; undefined if none is close. */
function nearest(word, names) {
  const text = word.toLowerCase().slice(0, 100);
  const all = names.map((name) => ({ name, far: distance(text, name.toLowerCase()) })).sort((a, b) => a.far - b.far);
  const begun = text.length >= 4 ? names.find((name) => name.toLowerCase().startsWith(text)) : undefined;
  return begun ?? (all[0] && all[0].far <= Math.max(1, Math.floor(text.length / 3)) ? all[0].name : undefined);
}

/** The package that an import names: `package` for `package/file`. */
function packageOf(name) {
  return name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/');
}

function ofPackage(name, importer) {
  // `tar` is a real package.
  const known = name === 'tar' ? undefined : nearest(name, ['tare', ...ADAPTERS]);
  if (known !== undefined) {
    return `did you mean \`${known}\`?`;
  }
  if (!/^(@[a-z0-9-][\w.-]*\/)?[a-z0-9][\w.-]*$/i.test(name)) {
    return 'it is no name of a package: if it is an alias, `paths` of `tsconfig.json` or `imports` of `package.json` must lead to a file';
  }
  if (name.startsWith('@tare/')) {
    return `there are ${ADAPTERS.map((adapter) => `\`${adapter}\``).join(', ')}`;
  }
  const where = importer ? ' in the folder of its `package.json`' : '';
  return `if it is a package, install it${where}: \`npm install ${name}\``;
}

/** A hint about an error while loading a file; undefined if the error speaks for itself. */
function hintFor(error) {
  const message = String(error?.message ?? error);
  const found = (pattern) => pattern.exec(message)?.[1];
  const name = found(/^Cannot find (?:package|module) '([^'./][^':]*)'/);
  if (name !== undefined) {
    return ofPackage(packageOf(name), / imported from /.test(message));
  }
  if (/^Cannot find module /.test(message)) {
    return 'check the path of the import: it is relative to the file, and has the suffix of the other file';
  }
  const missing = error?.name === 'ReferenceError' ? found(/^(?:Can't find variable: )?(\w+)(?: is not defined)?$/) : undefined;
  if (EXPORTS.includes(missing)) {
    return `import it: \`import { ${missing} } from 'tare'\``;
  }
  if (missing === 'require') {
    return "a module has no `require`: write `import { bench, group } from 'tare'`, or name the file `.cjs`";
  }
  const slip = missing && nearest(missing, ['bench', 'group']);
  if (slip) {
    return `did you mean \`${slip}\`?`;
  }
  const wanted = found(/'tare'.* does not provide an export named '(\w+)'/);
  if (wanted !== undefined) {
    const meant = nearest(wanted, EXPORTS);
    return meant ? `did you mean \`${meant}\`?` : `\`tare\` exports ${EXPORTS.map((one) => `\`${one}\``).join(', ')}`;
  }
  if (/Cannot use import statement outside a module/.test(message)) {
    return 'name the file `.mjs`, or write `"type": "module"` into `package.json`';
  }
  return undefined;
}

/** Prints an error without stack frames of the runtime and the front end. Returns false if only the runtime can print it, because it knows
 * the line with the syntax error. */
function show(error, root) {
  if (!(error instanceof Error) || typeof error.stack !== 'string') {
    return false;
  }
  const isPlace = (line) => /^\s+at /.test(line);
  const isOwn = (line) => isPlace(line) && (/\(?node:/.test(line) || line.includes(root));
  const lines = error.stack.split('\n').filter((line) => !isOwn(line));
  if (error instanceof SyntaxError && lines.length === error.message.split('\n').length) {
    // With a location in the stack, the runtime prints the error without brackets.
    error.stack = [...lines, ...error.stack.split('\n').filter(isPlace).slice(0, 1)].join('\n');
    return false;
  }
  error.stack = lines.join('\n');
  console.error(lines.some(isPlace) ? require('node:util').inspect(error) : error.stack);
  return true;
}

module.exports = { hintFor, nearest, show };
