'use strict';
// A file of a revision that the host has checked out: what leads to the user's own files leads into the checkout, so that each side of a
// comparison runs its own code.

const fs = require('node:fs');
const path = require('node:path');

const MARKS = [path.join('.git', 'tare-root'), '.tare-root'];

/** The top of the checkout that a file is in, and that of the user's files; null: it is in none. */
function checkoutOf(file) {
  for (let top = path.dirname(file); ; top = path.dirname(top)) {
    for (const mark of MARKS) {
      try {
        return { top: fs.realpathSync(top), users: fs.realpathSync(fs.readFileSync(path.join(top, mark), 'utf8')) };
      } catch {
        // It is not there.
      }
    }
    if (path.dirname(top) === top) {
      return null;
    }
  }
}

/** The file of the checkout for one of the user's, links followed; null: it is none of the repository's own. */
function moved(file, checkout) {
  const isIn = (folder, at) => at.startsWith(folder + path.sep);
  if (!checkout || !isIn(checkout.users, file) || isIn(checkout.top, file)) {
    return null;
  }
  const there = path.join(checkout.top, path.relative(checkout.users, file));
  const real = fs.existsSync(there) ? fs.realpathSync(there) : '';
  if (isIn(checkout.top, real)) {
    return real;
  }
  if (file.split(path.sep).includes('node_modules')) {
    return null; // it is installed
  }
  throw new Error(`\`${file}\` is a file of the working tree, which the revision lacks: commit it, or compare folders that have each their own`);
}

module.exports = { checkoutOf, moved };
