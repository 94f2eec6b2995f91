/**
 * A check that is one plain script declares no tests, so nothing can be added to it that a runner counts. Instead the script itself must
 * fail: with an error right after it has loaded the product, and with other expected values in the lines that always run. Only lines at the
 * start of a line are touched: what is indented may never run.
 */
import { randomInt } from 'node:crypto';
import { planterOf } from './plant-tests.ts';
import { twoVersions } from './planter.ts';

const TAG_MIN = 1_000_000;
const TAG_MAX = 9_000_000;

/** `loaded`: fails after the imports. `values`: expects other values. `broken`: fails before it loads anything. */
export type PlantedScript = { readonly loaded?: string; readonly values?: string; readonly broken: string };

/** `undefined` = nothing can be planted. */
export function plantScript(file: string, text: string): PlantedScript | undefined {
  const planter = planterOf(file);
  if (planter === undefined) return undefined;
  const broken = planter.broken(randomInt(TAG_MIN, TAG_MAX));
  const imports = [...text.matchAll(planter.loads)].filter(({ index }) => isCode(text.slice(0, index)));
  const last = imports.at(-1);
  const end = last === undefined ? -1 : last.index + last[0].length;
  const loaded = end < 0 ? {} : { loaded: `${text.slice(0, end)}\n${broken}${text.slice(end)}` };
  let at = 0;
  const { wrong, values } = twoVersions(text, '', (line, replace) => {
    const start = at;
    at += line.length + 1;
    const other = /^\w/.test(line) ? planter.otherExpectation(line, replace) : undefined;
    return other === undefined || !isCode(text.slice(0, start)) ? undefined : other;
  });
  const changed = values === 0 ? {} : { values: wrong };
  return end < 0 && values === 0 ? undefined : { ...loaded, ...changed, broken };
}

/** Is the text after this code, rather than inside a long string or a comment? */
function isCode(before: string): boolean {
  const isOdd = (mark: string): boolean => before.split(mark).length % 2 === 0;
  return !['"""', "'''", '`'].some(isOdd) && before.lastIndexOf('/*') <= before.lastIndexOf('*/');
}
