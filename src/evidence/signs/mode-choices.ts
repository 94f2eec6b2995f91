/**
 * Lines that choose one of several texts by the test mode, such as the name of a test database. A text is a literal: whoever writes one for
 * tests alone special-cases them, with or without a mode. So these lines are not rewritten, unless something else depends on which text was
 * chosen. Bounded: patterns over single lines, and over at most 40 lines of a `switch`.
 */

const MODE =
  '(?:process(?:\\?\\.|\\.)env(?:(?:\\?\\.|\\.)NODE_ENV\\b|\\[ ?[\'"]NODE_ENV[\'"] ?\\])|import\\.meta\\.env(?:\\?\\.|\\.)MODE\\b)';
const WORD = '(?:\'[^\'\\\\\\n]{0,200}\'|"[^"\\\\\\n]{0,200}"|`[^`\\\\$\\n]{0,200}`)';
const FLAG = 'import\\.meta(?:\\?\\.|\\.)env(?:\\?\\.|\\.)';
const IS = `(?:${MODE} ?={2,3} ?${WORD}|${FLAG}DEV\\b|!${FLAG}PROD\\b)`;
const IS_NOT = `(?:${MODE} ?!={1,2} ?${WORD}|!${FLAG}DEV\\b|${FLAG}PROD\\b)`;
const CHOICE = `(?:${IS} ?\\? ?${WORD} ?:[^;]{1,200}|${IS_NOT} ?\\?[^:;]{1,200}: ?${WORD} ?)`;
const NAMED = '(?:(?:export )?(?:const|let|var) )?([\\w$]{1,60})(?:: ?[\\w<>|. ]{1,60})? ?(?:=|:) ?';

const CHOSEN = new RegExp(`^${NAMED}\\(?${CHOICE}\\)?[;,]?$`);
const RETURNED = new RegExp(`^return \\(?${CHOICE}\\)?;?$`);
const IF = new RegExp(`^if \\(${IS}\\) ?(?:\\{ ?)?(?:return ${WORD}|([\\w$.]{1,80}) = ${WORD}) ?;?(?: ?\\})?$`);
const IF_OPENED = new RegExp(`^if \\(${IS}\\) ?\\{$`);
const ONLY_TEXT = new RegExp(`^(?:return ${WORD}|([\\w$.]{1,80}) = ${WORD}) ?;?$`);
const KEPT = new RegExp(`^${NAMED}\\(?${MODE}(?: ?(?:\\?\\?|\\|\\|) ?${WORD})?\\)?;?$`);
const LOOKED_UP = new RegExp(`^${NAMED}([\\w$]{1,60})\\[${MODE}(?: ?(?:\\?\\?|\\|\\|) ?${WORD})?\\];?$`);
const SWITCH = new RegExp(`^switch \\(${MODE}(?: ?(?:\\?\\?|\\|\\|) ?${WORD})?\\) ?\\{$`);
const OF_SWITCH = new RegExp(
  `^(?:(?:case ${WORD}|default) ?: ?)*(?:return ${WORD}|([\\w$.]{1,80}) = ${WORD}|break)? ?;?(?: ?break;?)?$`,
);
const FUNCTION =
  /\bfunction ([\w$]{1,60})|\b(?:const|let|var) ([\w$]{1,60}) ?=[^=]*(?:=>|\bfunction\b)|^(?:(?:static|async|get|export|private|public) )*([\w$]{1,60}) ?\([^()]{0,200}\)[^;]{0,60}\{$/;
const NO_FUNCTION = /^(?:if|for|while|switch|catch)$/;

const BODY_LINES_MAX = 40;

/** `at`: the index of the line; `product`: the texts of all changed files of the product. */
export function isChoiceOfText(lines: readonly string[], at: number, product: readonly string[]): boolean {
  const line = codeAt(lines, at);
  const named = CHOSEN.exec(line)?.[1];
  if (named !== undefined) return !decides(named, product);
  if (RETURNED.test(line)) return isFree(functionAbove(lines, at), product);
  const single = IF.exec(line);
  if (single !== null) return isFree(single[1] ?? functionAbove(lines, at), product);
  if (IF_OPENED.test(line)) {
    const body = ONLY_TEXT.exec(codeAt(lines, at + 1));
    return (
      body !== null && codeAt(lines, at + 2).startsWith('}') && isFree(body[1] ?? functionAbove(lines, at), product)
    );
  }
  if (SWITCH.test(line)) return isSwitchOfTexts(lines, at, product);
  const [, name, table] = LOOKED_UP.exec(line) ?? [];
  if (name !== undefined && table !== undefined) return hasTextForTests(table, product) && !decides(name, product);
  const kept = KEPT.exec(line)?.[1];
  return kept !== undefined && onlyLooksUp(kept, line, product);
}

function codeAt(lines: readonly string[], at: number): string {
  return (lines[at] ?? '').trim().replaceAll(/\s+/g, ' ');
}

function isSwitchOfTexts(lines: readonly string[], at: number, product: readonly string[]): boolean {
  const names = new Set<string | undefined>();
  for (let next = at + 1; next < Math.min(lines.length, at + BODY_LINES_MAX); next++) {
    const line = codeAt(lines, next);
    if (line === '}') return [...names].every((name) => isFree(name, product));
    const found = OF_SWITCH.exec(line);
    if (found === null) return false;
    if (/\breturn\b/.test(line)) names.add(functionAbove(lines, at));
    else if (found[1] !== undefined) names.add(found[1]);
  }
  return false;
}

function functionAbove(lines: readonly string[], at: number): string | undefined {
  for (let back = at - 1; back >= Math.max(0, at - BODY_LINES_MAX); back--) {
    const name = FUNCTION.exec(codeAt(lines, back))
      ?.slice(1)
      .find((one) => one !== undefined);
    if (name !== undefined && !NO_FUNCTION.test(name)) return name;
  }
  return undefined;
}

function isFree(name: string | undefined, product: readonly string[]): boolean {
  return name !== undefined && !decides(name, product);
}

/** Is the value with this name compared, looked up or tested anywhere? */
function decides(path: string, product: readonly string[]): boolean {
  const name = escaped(path.slice(path.lastIndexOf('.') + 1));
  const value = `(?<![\\w$])${name}\\b(?: ?\\([^()]{0,80}\\))?`;
  const asked = new RegExp(
    `${value} ?(?:[!=]==?|\\?(?![.?])|&&|\\|\\||[<>*/%-]|\\.(?:includes|startsWith|endsWith|match|search|length|indexOf|at|charAt|slice|localeCompare)\\b)` +
      `|(?:[!=]==?|&&|\\|\\||!) ?(?:[\\w$]{1,60}\\.){0,3}${value}|(?:if|while|switch) ?\\( ?(?:[\\w$]{1,60}\\.){0,3}${value} ?\\)` +
      `|\\[ ?(?:[\\w$]{1,60}\\.){0,3}${value} ?\\]|\\.(?:test|has|includes|get) ?\\( ?(?:[\\w$]{1,60}\\.){0,3}${value}`,
  );
  return product.some((text) =>
    text.split('\n').some((line) => asked.test(line.trim()) && !new RegExp(CHOICE).test(line)),
  );
}

/** If the mode itself has a name, it may only choose from tables of texts, or be part of a text. */
function onlyLooksUp(name: string, definition: string, product: readonly string[]): boolean {
  const used = new RegExp(`(?<![\\w$.])${escaped(name)}\\b`);
  const lines = product
    .flatMap((text) => text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' ')))
    .filter((line) => used.test(line) && line !== definition);
  const looks = new RegExp(`^${NAMED}([\\w$]{1,60})\\[${escaped(name)}\\];?$`);
  return lines.every((line) => {
    const [, chosen, table] = looks.exec(line) ?? [];
    if (chosen === undefined || table === undefined) return false;
    return hasTextForTests(table, product) && !decides(chosen, product);
  });
}

/** A table whose value for tests is a text, or texts and numbers. */
function hasTextForTests(table: string, product: readonly string[]): boolean {
  // Each entry has only one possible end, so that a long table is read only once.
  const entry = `[\\w$]{1,60} ?: ?(?:${WORD}|\\d{1,10}(?![\\w$]))`;
  const value = `(?:${WORD}|\\{\\s*${entry}(?: ?,\\s*${entry}){0,19} ?,?\\s*\\})`;
  const pattern = new RegExp(
    `\\b(?:const|let|var) ${escaped(table)}\\b[^={]{0,80}= ?\\{[^;]{0,2000}?\\btest['"]? ?: ?${value}`,
  );
  return product.some((text) => pattern.test(text));
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}
