'use strict';
// What a library has and its stand-in has not: it can be imported, and says so when it is used.

/** A name of a library. One name that cannot be imported would stop a whole file. */
function missing(library, name, advice) {
  const refuse = () => {
    throw new Error(`\`${name}\` of ${library} is not there: ${advice}`);
  };
  return new Proxy(function () {}, { apply: refuse, construct: refuse, get: refuse });
}

/** Several of them, by name. */
function allMissing(library, names, advice) {
  return Object.fromEntries(names.map((name) => [name, missing(library, name, advice)]));
}

module.exports = { missing, allMissing };
