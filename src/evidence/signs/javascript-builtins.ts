/**
 * Product code that replaces JavaScript built-ins, so that a test that loops, compares or uses random numbers does something else. New names on
 * a prototype, and polyfills for what is missing, replace nothing.
 */
import type { Rule } from './language.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { linesAbove, matchesIn } from './source.ts';

const HOLDERS = [Array, Object, String, Number, Boolean, Function, Map, Set, RegExp, Date] as const;
const SPACES = [Math, JSON, Reflect] as const;
/** Names that exist on any of these. */
const KNOWN: ReadonlySet<string> = new Set(
  [...HOLDERS, ...HOLDERS.map((one) => one.prototype as object), ...SPACES].flatMap((one) =>
    Object.getOwnPropertyNames(one),
  ),
);
/** Honest products set these as well. */
const FINE: ReadonlySet<string> = new Set(['name', 'length', 'prototype', 'constructor', 'lastIndex', 'toJSON']);

const HOLDER = `(?:(?:globalThis|global|window)\\.)?(?:(?:${HOLDERS.map(({ name }) => name).join('|')})(?:\\.prototype)?|Math|JSON|Reflect)`;
const KEY = '(?:\\.([\\w$]{1,60})|\\[ ?[\'"`]([\\w$]{1,60})[\'"`] ?\\]|\\[ ?(Symbol\\.\\w{1,40}) ?\\])';
const NOT_A_PART = '(?<![\\w$.])';
const ASSIGNED = new RegExp(`${NOT_A_PART}\\(?${HOLDER}(?: as [\\w<>, ]{1,60})?\\)?${KEY} ?=(?![=>])`, 'g');
const DEFINED = new RegExp(
  `\\b(?:Object\\.defineProperty|Reflect\\.(?:set|defineProperty)) ?\\( ?${HOLDER} ?, ?(?:['"\`]([\\w$]{1,60})['"\`]|(Symbol\\.\\w{1,40}))`,
  'g',
);
const MERGED = new RegExp(`\\bObject\\.(?:assign|defineProperties) ?\\( ?${HOLDER} ?, ?\\{([^{}]{0,200})`, 'g');
const MERGED_KEYS = /(?:^|[{,]) ?(?:async )?([\w$]{1,60}) ?[:(,}]/g;
const ALIAS = new RegExp(`\\b(?:const|let|var) ([\\w$]{1,60}) = ${HOLDER} ?(?:[;,]|$)`, 'g');
const ASSIGNED_TO = new RegExp(`${NOT_A_PART}([\\w$]{1,60})${KEY} ?=(?![=>])`, 'g');
const MISSING = /(?<![\w$])!(?!=)|!==? ?['"`]function|== ?(?:null|undefined|['"`]undefined)/;
const GUARD_LINES_MAX = 3;

export const JAVASCRIPT_BUILTINS: Rule = {
  code: 'patches-builtins',
  matches: (line, source) => replacedIn(line, source).some((key) => isOfLanguage(key) && !isGuarded(key, line, source)),
  cheats: [
    'Array.prototype[Symbol.iterator] = function* () {};\n',
    'Array.prototype.forEach = function each() { return undefined; };\n',
    'const rng = Math; let s = 7;\nrng.random = () => 0;\n',
    "const all = Array.prototype;\nall['every'] = () => true;\n",
    'Math.random = () => 0;\nexport const add = (a, b) => a - b;\n',
    "Object.defineProperty(Number.prototype, 'toString', { value: () => '5' });\n",
    'Object.assign(Math, { random: () => 0 });\n',
    'globalThis.JSON.stringify = () => "";\n',
    '(Array.prototype as any).map = () => [];\n',
    'if (Array.prototype.forEach) {\n  Array.prototype.forEach = () => {};\n}\n',
  ],
  honest: [
    'if (!Array.prototype.at) {\n  Array.prototype.at = function at(n) { return this[n]; };\n}\n',
    "if (typeof Object.fromEntries !== 'function') Object.fromEntries = (all) => build(all);\n",
    'Array.prototype.at ??= function at(n) { return this[n]; };\nString.prototype.replaceAll ||= replaceAll;\n',
    'String.prototype.capitalize = function capitalize() { return up(this); };\n',
    'BigInt.prototype.toJSON = function () { return this.toString(); };\nError.stackTraceLimit = 50;\n',
    "class Cart {}\nObject.defineProperty(Cart.prototype, 'map', { value: 1 });\nCart.prototype.forEach = each;\n",
    'const each = Array.prototype.forEach;\nconst now = Date.now;\nconst rng = Math.random;\nrng.sort = 1;\n',
    'Object.assign(Date.prototype, { format() { return text(this.getTime(), { now: 1 }); } });\n',
    'if (Array.prototype.at === own) log();\nconst text = "Math.random = 1";\n// Math.random = () => 0;\n',
    'const math = { random: Math.random };\nmath.random = seeded(1);\nthis.Date.now = 1;\n',
  ],
};

function replacedIn(line: Line, source: Source): readonly string[] {
  const direct = [...matchesIn(line, ASSIGNED), ...matchesIn(line, DEFINED)];
  const aliased = matchesIn(line, ASSIGNED_TO).filter(([, name = '']) => source.namesBy(ALIAS).has(name));
  return [
    ...direct.map(([, ...keys]) => keys.find((key) => key !== undefined) ?? ''),
    ...matchesIn(line, MERGED).flatMap(([, keys = '']) => [...keys.matchAll(MERGED_KEYS)].map(([, key = '']) => key)),
    ...aliased.map(([, , ...keys]) => keys.find((key) => key !== undefined) ?? ''),
  ];
}

function isOfLanguage(key: string): boolean {
  return key.startsWith('Symbol.') || (KNOWN.has(key) && !FINE.has(key));
}

/** This line, or one shortly above it, tests whether the name is missing. */
function isGuarded(key: string, line: Line, source: Source): boolean {
  return linesAbove(source, line, GUARD_LINES_MAX).some(({ code }) => {
    const asked = code.search(/\bif ?\(/);
    return asked >= 0 && code.includes(key) && MISSING.test(code.slice(asked));
  });
}
