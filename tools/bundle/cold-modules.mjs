// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** The list of cold modules is this entry itself: `export * from …` for each. */
export const COLD_ENTRY = 'src/entries/hook-cold.ts';

/** The modules that `hook-cold.ts` exports, as paths from the root of the repository. @param {string} root @returns {readonly string[]} */
export function coldModules(root) {
  const { body } = parsed(path.join(root, COLD_ENTRY));
  return body.flatMap((/** @type {any} */ node) =>
    node.type === 'ExportAllDeclaration' ? [path.posix.join(path.dirname(COLD_ENTRY), node.source.value)] : [],
  );
}

/** The functions that a module exports. Its other values cannot be loaded on call, so nobody can import them. @param {string} file */
export function exportedFunctions(file) {
  const { body } = parsed(file);
  const names = body.flatMap((/** @type {any} */ { type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || declaration === null) return [];
    if (declaration.type === 'FunctionDeclaration') return [declaration.id.name];
    if (declaration.type !== 'VariableDeclaration') return [];
    return declaration.declarations
      .filter((/** @type {any} */ { init }) => init?.type === 'ArrowFunctionExpression')
      .map((/** @type {any} */ { id }) => id.name);
  });
  if (names.length === 0) throw new Error(`${file} exports no function, so it cannot be loaded on call`);
  return names;
}

/** @param {string} file @returns {any} */
function parsed(file) {
  return parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }, file);
}
