/** Canned answers: a list of literals in the state of a module, from which each call takes one. Nothing ever refills it. */
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { matchesIn } from './source.ts';

const LITERAL = '(?:-?[\\d_.]{1,20}|"[^"]{0,80}"|\'[^\']{0,80}\'|`[^`$]{0,80}`|null|None|true|false|True|False)';
const LIST = `\\[ ?${LITERAL}(?: ?, ?${LITERAL}){1,100} ?,? ?\\]`;
const DECLARED = new RegExp(
  `^(?:export )?(?:(?:const|let|var) )?([A-Za-z_$][\\w$]{0,60})(?: ?: ?[\\w<>[\\], ]{1,40})? ?= ?(?:iter ?\\( ?)?${LIST}`,
  'g',
);
const TAKEN =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\.(?:shift|pop|popleft) ?\( ?0? ?\)|(?<![\w$.])next ?\( ?([A-Za-z_]\w{0,60}) ?[,)]/g;
const AT_COUNTER = new RegExp(`(?<![\\w$)\\]])${LIST} ?\\[ ?[\\w$]{1,60}\\+\\+ ?\\]`, 'g');

export function consumesListOfAnswers(line: Line, source: Source): boolean {
  if (matchesIn(line, AT_COUNTER).length > 0) return true;
  const taken = matchesIn(line, TAKEN).map(([, one, other]) => one ?? other ?? '');
  if (taken.length === 0 || (line.indent === 0 && line.depth === 0 && !/=>|\bdef\b|\bfunction\b/.test(line.bare)))
    return false;
  return taken.some((name) => isDeclared(name, source) && !isRefilled(name, source));
}

/** At module level, because a variable in a function is new at each call. */
function isDeclared(name: string, source: Source): boolean {
  return source.lines.some(
    (line) => line.indent === 0 && line.depth === 0 && matchesIn(line, DECLARED).some(([, found]) => found === name),
  );
}

function isRefilled(name: string, { lines }: Source): boolean {
  const word = name.replaceAll('$', '\\$');
  const more = new RegExp(
    `(?<![\\w$.])${word}(?:\\.(?:push|unshift|splice|append|extend|insert|concat)\\b|\\.length ?=|\\[[^\\]]{0,60}\\] ?=(?!=)| ?\\+= )`,
  );
  const again = new RegExp(`(?<![\\w$.])${word} ?=(?![=>])`);
  return lines.some(({ bare }) => more.test(bare)) || lines.filter(({ bare }) => again.test(bare)).length > 1;
}
