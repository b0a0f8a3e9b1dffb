'use strict';
// Finds the user's code in the stack of an error.

const path = require('node:path');
const { fileURLToPath } = require('node:url');

const OWN = [__dirname, path.join(path.dirname(__dirname), 'start.js')];

/** The file and line of the innermost function outside the runtime and this front end; empty if there is none. */
function placeIn(error) {
  for (const line of String(error?.stack ?? '').split('\n')) {
    // `at file:1:2`, or `at function (file:1:2)`.
    const at = /^\s+at (?:async )?(?:.*\()?((?:file:\/\/)?[^()]+):(\d+):\d+\)?$/.exec(line);
    if (at && !/^(?:node:|<)/.test(at[1]) && !OWN.some((own) => at[1].includes(own))) {
      const file = at[1].startsWith('file://') ? fileURLToPath(at[1]) : at[1];
      return { file, line: Number(at[2]) };
    }
  }
  return {};
}

module.exports = { placeIn };
