// @ts-check
/**
 * Walks the syntax tree of a TypeScript file. Types are never entered: they do not exist at run time.
 *
 * A reach point is a place where running code can leave a mark: the start of a statement, of the body of an arrow function or of one branch
 * of a conditional. `instrument` inserts the marks, and every planted bug knows the innermost point around it.
 */
import { parseAst } from 'rolldown/parseAst';

/** @typedef {{ readonly type: string, readonly start: number, readonly end: number } & Readonly<Record<string, any>>} Node */
/** @typedef {{ readonly node: Node, readonly parents: readonly Node[], readonly point: number }} Visit */

/** Keys of a node that contain only types. */
const TYPE_KEYS = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'implements',
  'superTypeArguments',
]);
/** TypeScript's wrappers of a value: `x as T`, `x!`, `x satisfies T`. Every other node of TypeScript is a type. */
const VALUE_WRAPPERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** Throws on text that does not parse. @param {string} text @returns {Node} */
export function parse(text) {
  /** @type {any} */
  const tree = parseAst(text, { lang: 'ts' });
  return tree;
}

/** Every node that is a value, outermost first. @param {Node} tree @returns {Generator<Visit>} */
export function* walk(tree) {
  yield* walkFrom(tree, [], 0);
}

/** @param {Node} node @param {readonly Node[]} parents @param {number} around @returns {Generator<Visit>} */
function* walkFrom(node, parents, around) {
  if (node.type.startsWith('TS') && !VALUE_WRAPPERS.has(node.type)) return;
  const parent = parents.at(-1);
  const point = parent !== undefined && isPoint(node, parent) ? node.start : around;
  yield { node, parents, point };
  const chain = [...parents, node];
  for (const [key, child] of Object.entries(node)) {
    if (TYPE_KEYS.has(key)) continue;
    for (const inner of Array.isArray(child) ? child : [child]) if (isNode(inner)) yield* walkFrom(inner, chain, point);
  }
}

/** @param {Node} node @param {Node} parent */
function isPoint(node, parent) {
  if (parent.type === 'BlockStatement' || parent.type === 'Program' || parent.type === 'SwitchCase') {
    if (parent['test'] === node) return false;
    return node.type !== 'ImportDeclaration' && !node.type.startsWith('TS');
  }
  return isWrapped(node, parent);
}

/** A single statement or expression that needs brackets to carry a mark. @param {Node} node @param {Node} parent */
function isWrapped(node, parent) {
  if (node.type === 'BlockStatement') return false;
  if (parent.type === 'ArrowFunctionExpression') return parent['body'] === node;
  if (parent.type === 'ConditionalExpression' || parent.type === 'IfStatement') return parent['test'] !== node;
  return /^(?:For|While|DoWhile)\w*Statement$/u.test(parent.type) && parent['body'] === node;
}

/** The text with a call of `mark(point)` at every reach point. @param {string} text @param {(point: number) => string} mark */
export function instrument(text, mark) {
  /** @type {{ readonly at: number, readonly text: string, readonly opens: boolean }[]} */
  const additions = [];
  for (const { node, parents } of walk(parse(text))) {
    const parent = parents.at(-1);
    if (parent === undefined || !isPoint(node, parent)) continue;
    const call = mark(node.start);
    if (!isWrapped(node, parent)) additions.push({ at: node.start, text: `${call};`, opens: true });
    else {
      const isStatement = node.type.endsWith('Statement') || node.type.endsWith('Declaration');
      additions.push({ at: node.start, text: isStatement ? `{${call};` : `(${call},`, opens: true });
      additions.push({ at: node.end, text: isStatement ? '}' : ')', opens: false });
    }
  }
  // A mark that ends at a place comes before one that starts there; of two that start there, the outer one comes first.
  const ordered = additions
    .map((addition, index) => ({ ...addition, index }))
    .toSorted(
      (a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || (a.opens ? a.index - b.index : b.index - a.index),
    );
  let made = '';
  let from = 0;
  for (const { at, text: added } of ordered) {
    made += text.slice(from, at) + added;
    from = at;
  }
  return made + text.slice(from);
}

/** @param {unknown} value @returns {value is Node} */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
