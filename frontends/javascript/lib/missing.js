'use strict';
// Names of a library that its adapter does not support: they can be imported, and throw when used.

/** A stand-in for an unsupported name, because one failed import would stop the whole file. */
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
