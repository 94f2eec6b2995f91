// @ts-check
/**
 * The bugs that can be planted in one file: small changes of its text, found in its syntax tree. Text that only people read is left alone
 * (sentences, messages of faults, assertions), and so are the sizes and times that a constant names.
 */
import { createHash } from 'node:crypto';
import { parse, walk } from './syntax.mjs';

/** @typedef {import('./syntax.mjs').Visit} Visit */
/** @typedef {import('./syntax.mjs').Node} Node */
/** @typedef {{ readonly kind: string, readonly start: number, readonly end: number, readonly text: string }} Change */
/**
 * `line` starts at 1, `source` is the text of that line; `key` identifies the mutant even after the file has changed elsewhere.
 * @typedef {Change & { readonly file: string, readonly line: number, readonly source: string, readonly from: string, readonly point: number, readonly key: string }} Mutant
 */

/** @type {Readonly<Record<string, string>>} */
const OPPOSITES = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' };
/** @type {Readonly<Record<string, string>>} */
const OTHER_METHODS = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
/** A signal to a process that does not exist is harmless, but not one to another process. Assertions are for bugs of ours. */
const UNTOUCHED_CALLS = new Set(['kill', 'killEverything', 'assert', 'crashPoint']);
const NUMBER_MAX = 16;

/** @param {string} file @param {string} text @returns {readonly Mutant[]} */
export function mutantsOf(file, text) {
  /** @type {Map<string, Mutant>} */
  const made = new Map();
  for (const visit of walk(parse(text))) {
    if (isForPeople(visit)) continue;
    for (const change of changesAt(visit, text)) {
      const mutant = describe(file, text, change, visit.point);
      if (!made.has(mutant.key)) made.set(mutant.key, mutant);
    }
  }
  return [...made.values()];
}

/**
 * A named bug: a text that occurs once in the file, and its replacement.
 * @typedef {{ readonly name: string, readonly file: string, readonly find: string, readonly put: string, readonly tests?: readonly string[] }} Named
 */

/** @param {Named} named @param {string} text @returns {Mutant} */
export function namedMutant({ name, file, find, put }, text) {
  const start = text.indexOf(find);
  if (start === -1 || text.indexOf(find, start + 1) !== -1)
    throw new Error(`mutants/named.json: "${find}" does not stand exactly once in ${file}`);
  let point = 0;
  for (const visit of walk(parse(text))) if (visit.node.start <= start && start < visit.node.end) ({ point } = visit);
  return describe(file, text, { kind: name, start, end: start + find.length, text: put }, point);
}

/** @param {string} text @param {Change} change */
export function applied(text, change) {
  return text.slice(0, change.start) + change.text + text.slice(change.end);
}

/** @param {string} file @param {string} text @param {Change} change @param {number} point @returns {Mutant} */
function describe(file, text, change, point) {
  const before = text.slice(0, change.start);
  const line = before.split('\n').length;
  const lineStart = before.lastIndexOf('\n') + 1;
  const source = text.slice(lineStart).split('\n', 1)[0]?.trim() ?? '';
  const from = text.slice(change.start, change.end);
  const identity = [file, source, change.start - lineStart, change.kind, from, change.text].join('\0');
  const key = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  return { ...change, file, line, source, from, point, key };
}

/** @param {Visit} visit */
function isForPeople({ node, parents }) {
  if (node.type === 'TemplateLiteral' && parents.at(-1)?.type !== 'TaggedTemplateExpression') return true;
  return [...parents, node].some(
    (one) =>
      /^(?:Import|ExportAll)Declaration$/u.test(one.type) ||
      (one.type === 'ExportNamedDeclaration' && one['source'] !== null) ||
      one.type === 'ThrowStatement' ||
      ((one.type === 'CallExpression' || one.type === 'NewExpression') && isUntouched(one)),
  );
}

/** @param {Node} call */
function isUntouched(call) {
  const { callee } = call;
  if (callee === undefined) return false;
  const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
  return UNTOUCHED_CALLS.has(name) || (/(?:Fault|Error|Bug)$/u.test(name ?? '') && call.type === 'NewExpression');
}

/** @param {Visit} visit @param {string} text @returns {readonly Change[]} */
function changesAt({ node, parents }, text) {
  const parent = parents.at(-1);
  switch (node.type) {
    case 'BinaryExpression':
      return binary(node, text);
    case 'LogicalExpression':
      return logical(node, text);
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['!', 'true', 'false'].map((how) => condition(node['test'], how, text));
    case 'WhileStatement':
      return [condition(node['test'], 'false', text)];
    case 'UnaryExpression':
      return node['operator'] === '!'
        ? [replace('without !', node, text.slice(node['argument'].start, node['argument'].end))]
        : [];
    case 'ExpressionStatement':
      return isCall(node['expression']) && !isUntouched(node['expression']) ? [replace('call removed', node, ';')] : [];
    case 'FunctionDeclaration':
      return returnsAtOnce(node);
    case 'ReturnStatement':
      return node['argument'] === null ? [replace('return removed', node, ';')] : [];
    case 'ArrayExpression':
      return node['elements'].flatMap((/** @type {Node | null} */ one) =>
        one === null ? [] : [without(one, text, 'element')],
      );
    case 'ObjectExpression':
      return node['properties'].map((/** @type {Node} */ one) => without(one, text, 'property'));
    case 'CallExpression':
      return otherMethod(node);
    case 'Literal':
      return literal(node, parent, parents);
    default:
      return [];
  }
}

/** @param {Node} node @param {string} text @returns {readonly Change[]} */
function binary(node, text) {
  const { left, right, operator } = node;
  const other = OPPOSITES[operator];
  if (other !== undefined) return [otherOperator(node, text, 'comparison', other)];
  const isSum = (operator === '+' && (isNumber(left) || isNumber(right))) || operator === '-';
  return isSum ? [otherOperator(node, text, 'sum', operator === '+' ? '-' : '+')] : [];
}

/** @param {Node} node @param {string} text @returns {readonly Change[]} */
function logical(node, text) {
  const { left, right, operator } = node;
  if (operator === '??')
    return [
      { kind: 'default removed', start: left.end, end: node.end, text: closing(text.slice(left.end, right.start)) },
    ];
  const other = operator === '&&' ? '||' : '&&';
  const both = `(${text.slice(left.start, node.end)})`;
  const at = otherOperator(node, text, 'and/or', other);
  // In brackets, because the new operator binds differently and must not mix with `??`.
  const made = both.slice(0, 1 + at.start - left.start) + other + both.slice(1 + at.end - left.start);
  return [{ kind: 'and/or', start: left.start, end: node.end, text: made }];
}

/** The closing brackets of the left side, which are between the operands. @param {string} between */
function closing(between) {
  return between.slice(0, between.indexOf('??')).trimEnd();
}

/**
 * The operator is the last one before the right side: brackets and comments may surround it.
 * @param {Node} node
 * @param {string} text
 * @param {string} kind
 * @param {string} other
 * @returns {Change}
 */
function otherOperator({ right, operator }, text, kind, other) {
  const start = text.lastIndexOf(operator, right.start - operator.length);
  return { kind, start, end: start + operator.length, text: other };
}

/** @param {Node} test @param {string} how @param {string} text @returns {Change} */
function condition(test, how, text) {
  const kind = how === '!' ? 'condition negated' : `condition always ${how}`;
  return replace(kind, test, how === '!' ? `!(${text.slice(test.start, test.end)})` : how);
}

/** @param {Node} node @returns {readonly Change[]} */
function returnsAtOnce(node) {
  const { body } = node;
  if (body === null || body.body.length < 2) return [];
  return [{ kind: 'returns at once', start: body.start + 1, end: body.start + 1, text: ' return;' }];
}

/** Includes the comma after it. @param {Node} node @param {string} text @param {string} what @returns {Change} */
function without(node, text, what) {
  const comma = /^\s*,/u.exec(text.slice(node.end))?.[0] ?? '';
  return { kind: `${what} removed`, start: node.start, end: node.end + comma.length, text: '' };
}

/** @param {Node} node @returns {readonly Change[]} */
function otherMethod(node) {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  const other = Object.hasOwn(OTHER_METHODS, callee.property.name) ? OTHER_METHODS[callee.property.name] : undefined;
  return other === undefined ? [] : [replace('other method', callee.property, other)];
}

/** @param {Node} node @param {Node | undefined} parent @param {readonly Node[]} parents @returns {readonly Change[]} */
function literal(node, parent, parents) {
  const { value } = node;
  if (parent?.['key'] === node || parent?.type === 'ImportExpression' || parent?.type === 'ExpressionStatement')
    return [];
  if (typeof value === 'boolean') return [replace('boolean', node, String(!value))];
  if (typeof value === 'number') {
    if (value > NUMBER_MAX || isNamedSize(parents)) return [];
    return [
      replace('number', node, String(value + 1)),
      ...(value > 0 ? [replace('number', node, String(value - 1))] : []),
    ];
  }
  // A word is a code, a name or a path; more than one word is a sentence.
  return typeof value === 'string' && value !== '' && !/\s\S|^\s*$/u.test(value)
    ? [replace('text emptied', node, "''")]
    : [];
}

/** `const SOMETHING_MAX = 8 * 1024`. @param {readonly Node[]} parents */
function isNamedSize(parents) {
  return parents.some((one) => one.type === 'VariableDeclarator' && /^[A-Z][A-Z0-9_]+$/u.test(one['id'].name ?? ''));
}

/** @param {Node} node */
function isCall(node) {
  const inner = node.type === 'AwaitExpression' || node.type === 'YieldExpression' ? node['argument'] : node;
  return inner?.type === 'CallExpression';
}

/** @param {Node} node */
function isNumber(node) {
  return node.type === 'Literal' && typeof node['value'] === 'number';
}

/** @param {string} kind @param {Node} node @param {string} text @returns {Change} */
function replace(kind, node, text) {
  return { kind, start: node.start, end: node.end, text };
}

/** A textual change can be invalid, such as `a ?? b || c`. @param {string} text @param {Change} change */
export function parses(text, change) {
  try {
    parse(applied(text, change));
    return true;
  } catch {
    return false;
  }
}
