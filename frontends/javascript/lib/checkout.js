'use strict';
// Files of a revision checked out by the host: redirects imports of the user's own files into the checkout, so that each side of a
// comparison runs its own code.

const fs = require('node:fs');
const path = require('node:path');

const MARKS = [path.join('.git', 'tare-root'), '.tare-root'];

/** The root of the checkout that contains a file, and of the user's files; null if it is in none. */
function checkoutOf(file) {
  for (let top = path.dirname(file); ; top = path.dirname(top)) {
    for (const mark of MARKS) {
      try {
        return { top: fs.realpathSync(top), users: fs.realpathSync(fs.readFileSync(path.join(top, mark), 'utf8')) };
      } catch {
        // It does not exist.
      }
    }
    if (path.dirname(top) === top) {
      return null;
    }
  }
}

/** The checkout's version of a user's file, with links resolved; null if the file does not belong to the repository. */
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
