'use strict';
// The text of a result and its hash, the same in every language (R21 of the protocol).

const { Array, JSON, Math, Object, String, replace } = require('./own.js');

const encoder = new TextEncoder();
const inUtf8 = encoder.encode.bind(encoder);

/** Replaces unpaired surrogates with U+FFFD. */
function wellFormed(text) {
  return replace(text, /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

function quoted(text) {
  return JSON.stringify(wellFormed(text));
}

/** Whether the value's class defines its own text. */
function hasText(value) {
  return typeof value.toString === 'function' && value.toString !== Object.prototype.toString && value.toString !== Function.prototype.toString;
}

function list(elements) {
  const texts = Array.from(elements, (element) => written(element, true));
  return texts.includes(null) ? null : `[${texts.join(',')}]`;
}

function object(value) {
  const members = Object.entries(value).map(([name, member]) => [quoted(name), written(member, true)]);
  return members.some(([, text]) => text === null) ? null : `{${members.map((member) => member.join(':')).join(',')}}`;
}

function ofObject(value, inside) {
  if (Array.isArray(value) || value instanceof Map || value instanceof Set || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    return list(value);
  }
  if (value instanceof Date || value instanceof RegExp || value instanceof Error || hasText(value)) {
    const text = wellFormed(value instanceof Date ? value.toJSON() : String(value));
    return inside ? quoted(text) : text;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype ? object(value) : null;
}

/** The text of a value; null if it has none, contains itself, or throws. */
function textOf(value) {
  try {
    return written(value, false);
  } catch {
    return null;
  }
}

/** `inside`: whether it is an element of a list. */
function written(value, inside) {
  switch (typeof value) {
    case 'number':
      // `String` writes -0 as 0.
      return String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'string':
      return inside ? quoted(value) : wellFormed(value);
    case 'undefined':
      return inside ? 'null' : null;
    case 'object':
      return value === null ? (inside ? 'null' : null) : ofObject(value, inside);
    default:
      return null;
  }
}

/** The 64-bit FNV-1a hash of a text in UTF-8, computed in two halves because numbers only have 53 bits. */
function digestOf(text) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of inUtf8(text)) {
    low = (low ^ byte) >>> 0;
    // Times 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** The first characters of a text, without splitting a surrogate pair. */
function beginning(text, characters) {
  return text.length <= characters ? text : Array.from(text.slice(0, 2 * characters)).slice(0, characters).join('');
}

module.exports = { textOf, digestOf, beginning, inUtf8, wellFormed };
