/**
 * What a person sees: the real program in a terminal of 80 by 24 and one of 120 by 40, and the screens as text beside this file. A change of
 * words changes screens; look at the difference, and write them again with `npm run screens`.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '../docs/session.ts';
import type { Session } from '../docs/session.ts';
import { inTerminal, noPseudoTerminal, screenAfter } from '../support/terminal-screen.ts';

type Shown = {
  readonly name: string;
  readonly command: string;
  readonly exits?: number;
  /** Columns that are as wide as what is in them. */
  readonly isTable?: true;
  /** Durations are a part of the text. */
  readonly isFixed?: true;
};

/** In this order, in one project: the later ones show the loops of the earlier ones. */
const SCREENS: readonly Shown[] = [
  { name: 'help', command: 'tireless --help', isFixed: true },
  { name: 'run-help', command: 'tireless run --help', isFixed: true },
  {
    name: 'run-halted',
    command: `tireless run "make the tests pass" --agent-command my-agent --check "npm test" --max-iterations 1`,
    exits: 3,
  },
  {
    name: 'run-approval',
    command: 'tireless run "make the tests pass" --agent-command my-agent --check "npm test" --approve-finish',
    exits: 4,
  },
  { name: 'status', command: 'tireless status', isTable: true },
  {
    name: 'run-completed',
    command: 'git stash -q; tireless run "make the tests pass" --agent-command my-agent --check "npm test"',
  },
  { name: 'list', command: 'tireless list', isTable: true },
  { name: 'explain', command: 'tireless explain last' },
  { name: 'demo', command: 'tireless demo' },
  { name: 'demo-cheat', command: 'tireless demo --cheat' },
];

/** Not kept as text, because much of it is about the machine; no line is broken inside a word all the same. */
const WHOLE: readonly { readonly command: string; readonly exits: number }[] = [
  { command: 'tireless stauts', exits: 2 },
  { command: 'tireless run "make the tests pass"', exits: 2 },
  { command: 'tireless run "make the tests pass" --agent clade --check "npm test"', exits: 2 },
  { command: 'tireless run "make it work" --agent-command my-agent --check "npm test" --max-duration 5', exits: 2 },
  { command: 'tireless resume 999999-9999-zzzzzz', exits: 1 },
  { command: 'tireless score "improve the code"', exits: 0 },
  { command: 'tireless checks', exits: 0 },
  { command: 'tireless run "make the tests pass" --agent-command my-agent --check "npm test" --dry-run', exits: 0 },
  { command: 'tireless run "make the tests pass" --agent-command my-agent --check "npm test" --verbose', exits: 0 },
  { command: 'tireless checks last', exits: 0 },
  { command: 'tireless verify last', exits: 1 },
  { command: 'tireless report last', exits: 0 },
  { command: 'tireless replay last', exits: 0 },
  { command: 'tireless logs last', exits: 0 },
  { command: 'tireless doctor', exits: 1 },
  { command: 'tireless templates', exits: 0 },
];

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

/** A demo on a busy machine. */
const COMMAND_MS_MAX = 120_000;
const skips = noPseudoTerminal();

for (const size of SIZES) {
  const why = skips === null ? '' : ` (SKIPPED: ${skips})`;
  describe.skipIf(skips !== null)(`a terminal of ${size.columns}x${size.rows}${why}`, () => {
    let session: Session | undefined;
    afterAll(() => session?.close());
    it.each(SCREENS)('shows $name as it is kept', async ({ name, command, exits = 0, ...kind }) => {
      session ??= openSession(COMMAND_MS_MAX, '/tmp');
      const { code, stdout } = await session.run(inTerminal(command, size));
      const { text, brokenRows } = await screenAfter(stdout, size);
      await expect(`${neutral(text, kind)}\n`).toMatchFileSnapshot(`${size.columns}x${size.rows}/${name}.txt`);
      expect(code).toBe(exits);
      expect(brokenRows).toEqual([]);
    });

    it.each(WHOLE)('breaks nothing inside a word: $command', async ({ command, exits }) => {
      session ??= openSession(COMMAND_MS_MAX, '/tmp');
      const { code, stdout } = await session.run(inTerminal(command, size));
      const { text, brokenRows } = await screenAfter(stdout, size);
      expect({ code, brokenRows, text }).toMatchObject({ code: exits, brokenRows: [] });
    });
  });
}

/** What differs from run to run, taken out. */
function neutral(screen: string, { isTable, isFixed }: Pick<Shown, 'isTable' | 'isFixed'>): string {
  if (isFixed === true) return screen;
  const same = screen
    .replaceAll(/\b\d{6}-\d{4}-[a-z0-9]{6}\b/g, 'LOOP')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3}Z)?/g, 'TIME')
    .replaceAll(/\b\d+(?:\.\d+)?(?:ms|[smh])(?: \d+(?:ms|[smh]))*(?=\W|$)/g, 'D')
    .replaceAll(/process \d+(?: on \S+)?/gi, 'process PID')
    .replaceAll(/duration_ms:? [\d.]+/g, 'duration_ms N')
    .replaceAll(/(?:\/[\w.-]+)+\/(shop|corner-shop)\b/g, '/$1');
  return isTable === true ? same.replaceAll(/(?<=\S) {2,}/g, '  ') : same;
}
