/** One program with its arguments, as a shell would start it. */
export type Invocation = {
  readonly words: readonly string[];
  /** Its output is inspected (piped, substituted, written to a file): more likely the program under test than the test. */
  readonly isProbed: boolean;
};

const TEXT_LENGTH_MAX = 256 * 1024;
const INVOCATIONS_MAX = 2000;
const DEPTH_MAX = 8;
/** Programs that only pass on what they read. */
const PASSING_ON = new Set([
  'tee',
  'cat',
  'head',
  'tail',
  'less',
  'more',
  'ts',
  'sed',
  'tap-spec',
  'tap-dot',
  'pino-pretty',
]);
const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'while', 'until', '!', '{', '}', 'esac']);

type Draft = { words: string[]; isProbed: boolean; isPiped: boolean };
type Reader = {
  readonly text: string;
  readonly depth: number;
  at: number;
  readonly drafts: Draft[];
  draft: Draft;
  word: string | null;
};

/**
 * The programs that a shell text starts, found without running it. Not a full shell: the values of variables are unknown, and both
 * branches of a condition count. Reads at most 256 KiB and never throws.
 */
export function parseShell(text: string, depth = 0): readonly Invocation[] {
  if (depth > DEPTH_MAX) return [];
  const reader: Reader = {
    text: text.slice(0, TEXT_LENGTH_MAX),
    depth,
    at: 0,
    drafts: [],
    draft: newDraft(),
    word: null,
  };
  while (reader.at < reader.text.length && reader.drafts.length < INVOCATIONS_MAX) readSign(reader);
  endInvocation(reader);
  return finished(reader.drafts);
}

function newDraft(): Draft {
  return { words: [], isProbed: false, isPiped: false };
}

function readSign(reader: Reader): void {
  const { text } = reader;
  const char = text[reader.at] ?? '';
  const two = text.slice(reader.at, reader.at + 2);
  if (char === '\\') {
    if (text[reader.at + 1] !== '\n') reader.word = (reader.word ?? '') + (text[reader.at + 1] ?? '');
    reader.at += 2;
  } else if (char === "'") readSingleQuoted(reader);
  else if (char === '"') readDoubleQuoted(reader);
  else if (two === '$(' || two === '<(' || two === '>(') readSubstitution(reader, two);
  else if (char === '`') readBackticks(reader);
  else if (char === '#' && reader.word === null) skipLine(reader);
  else if (two === '<<') skipHereDocument(reader);
  else if (char === '>') readRedirection(reader);
  else if (char === ' ' || char === '\t' || char === '\r') {
    endWord(reader);
    reader.at += 1;
  } else if ('\n;|&()'.includes(char)) endAt(reader, char, two);
  else {
    reader.word = (reader.word ?? '') + char;
    reader.at += 1;
  }
}

function readSingleQuoted(reader: Reader): void {
  const end = reader.text.indexOf("'", reader.at + 1);
  const close = end === -1 ? reader.text.length : end;
  reader.word = (reader.word ?? '') + reader.text.slice(reader.at + 1, close);
  reader.at = close + 1;
}

function readDoubleQuoted(reader: Reader): void {
  reader.word ??= '';
  reader.at += 1;
  while (reader.at < reader.text.length && reader.text[reader.at] !== '"') {
    const two = reader.text.slice(reader.at, reader.at + 2);
    if (two === '$(') readSubstitution(reader, two);
    else if (two.startsWith('`')) readBackticks(reader);
    else {
      const isEscaped = two.startsWith('\\') && /[\\"$`\n]/.test(two[1] ?? '');
      reader.word += (isEscaped ? two[1] : two[0]) ?? '';
      reader.at += isEscaped ? 2 : 1;
    }
  }
  reader.at += 1;
}

/** `$(…)` and `<(…)`: its output is inspected. In the word it counts as an unknown value. */
function readSubstitution(reader: Reader, sign: string): void {
  let open = 1;
  let at = reader.at + 2;
  for (; at < reader.text.length && open > 0; at++) {
    const char = reader.text[at];
    if (char === '\\') at += 1;
    else if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    else if (char === "'") {
      const end = reader.text.indexOf("'", at + 1);
      if (end !== -1) at = end;
    }
  }
  addProbed(reader, reader.text.slice(reader.at + 2, at - (open === 0 ? 1 : 0)));
  if (sign === '$(') reader.word = `${reader.word ?? ''}$()`;
  reader.at = at;
}

function readBackticks(reader: Reader): void {
  const end = reader.text.indexOf('`', reader.at + 1);
  const close = end === -1 ? reader.text.length : end;
  addProbed(reader, reader.text.slice(reader.at + 1, close));
  reader.word = `${reader.word ?? ''}$()`;
  reader.at = close + 1;
}

function addProbed(reader: Reader, inner: string): void {
  for (const { words } of parseShell(inner, reader.depth + 1)) {
    reader.drafts.push({ words: [...words], isProbed: true, isPiped: false });
  }
}

function skipLine(reader: Reader): void {
  const end = reader.text.indexOf('\n', reader.at);
  reader.at = end === -1 ? reader.text.length : end;
}

/** Its lines are data. The rest of the opening line is read as usual. */
function skipHereDocument(reader: Reader): void {
  const rest = reader.text.slice(reader.at);
  const opening = /^<<-?\s*(['"]?)([A-Za-z_]\w*)\1([^\n]*)\n/.exec(rest);
  const tag = opening?.[2];
  if (opening === null || tag === undefined) {
    reader.at += 2;
    return;
  }
  const line = opening[3] ?? '';
  const body = rest.slice(opening[0].length);
  const lines = body.split('\n');
  const last = lines.findIndex((text) => text.trim() === tag);
  const after = last === -1 ? '' : lines.slice(last + 1).join('\n');
  const tail = `${line}\n${after}`;
  for (const { words, isProbed } of parseShell(tail, reader.depth + 1)) {
    reader.drafts.push({ words: [...words], isProbed, isPiped: false });
  }
  endWord(reader);
  reader.at = reader.text.length;
}

function readRedirection(reader: Reader): void {
  const isOfErrors = reader.word === '2';
  if (reader.word !== null && /^\d$|^&$/.test(reader.word)) reader.word = null;
  endWord(reader);
  const target = /^>>?\|?\s*(&?[^\s;|&()]*)/.exec(reader.text.slice(reader.at, reader.at + 1000));
  const name = target?.[1] ?? '';
  if (!isOfErrors && !name.startsWith('&') && name !== '/dev/null' && name !== '') reader.draft.isProbed = true;
  reader.at += target?.[0].length ?? 1;
}

function endAt(reader: Reader, char: string, two: string): void {
  const isPipe = char === '|' && two !== '||';
  // The redirection has already read `2>&1`; `&>file` is harmless: the `>` comes next.
  endWord(reader);
  reader.draft.isPiped = isPipe;
  endInvocation(reader);
  reader.at += two === '&&' || two === '||' || two === '|&' || two === ';;' ? 2 : 1;
}

function endWord(reader: Reader): void {
  if (reader.word !== null) reader.draft.words.push(reader.word);
  reader.word = null;
}

function endInvocation(reader: Reader): void {
  endWord(reader);
  const { draft } = reader;
  while (KEYWORDS.has(draft.words[0] ?? '')) draft.words.shift();
  if (draft.words.length > 0) reader.drafts.push(draft);
  reader.draft = newDraft();
}

function finished(drafts: readonly Draft[]): readonly Invocation[] {
  return drafts.map(({ words, isProbed, isPiped }, index) => {
    const reader = drafts[index + 1]?.words[0] ?? '';
    return { words, isProbed: isProbed || (isPiped && !PASSING_ON.has(reader)) };
  });
}
