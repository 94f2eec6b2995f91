/**
 * The documentation as a reader uses it. Each page is one session: a fresh project and an empty home, and its fenced `sh`
 * commands from top to bottom. What a page may say beside the plain commands:
 *
 * - `# exits 3` behind a command: its exit code, when it is not 0;
 * - a `text` block after a command: its output. Ids, times and paths may differ, `…` stands for lines left out;
 * - ```sh background: started and left running while the next block is run; then it has to end;
 * - ```sh no-run: not run here, for a reason that stands below;
 * - a file name after the language: the block is written to that file of the project;
 * - LOOP: the id of the loop that was started last.
 */
import { describe, expect, it } from 'vitest';
import { brokenBecause, commandsOf, linksIn, pages } from './pages.ts';
import type { Command, Fence, Page } from './pages.ts';
import type { Ran } from './session.ts';
import { helpOf, openSession } from './session.ts';

/** Run on every change in a fresh clone, by `.ci/run` or by another test; again here would only take time. */
const RUN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['npm install && npm start', 'the install is the first step of .ci/run; test/e2e runs the demo that it starts'],
  ['npm install && npm test', 'this very test is part of it'],
  ['npm run test:all', '.ci/run, as npm test and test:long'],
  ['npm run check', '.ci/run, as check:static and npm test'],
  ['npm run test:agents', '.ci/run'],
  ['npm run test:nodes', '.ci/run'],
  ['tireless demo', 'test/e2e/demo.everyday.test.ts'],
]);

/** Every block that is marked `no-run`, by its first line. */
const NOT_RUN: ReadonlyMap<string, string> = new Map([
  ['tireless install', 'asks at a terminal, about the agents of the machine; test/e2e/install.long.test.ts'],
  ['npm run bench:hook', 'takes minutes, and its figures mean something on an idle machine only'],
  ['npm run bench', 'takes minutes, and its figures mean something on an idle machine only'],
]);

/** Flags of other programs and of `/ralph`, and a slip that a page shows on purpose. */
const FOREIGN_FLAGS = new Set(['--test', '--resume', '--max-iteration']);

const PAGE_MS_MAX = 60_000;

describe('documentation', () => {
  const all = pages();

  it('sees the pages it judges', () => {
    expect(all.length).toBeGreaterThan(12);
    expect(all.flatMap(runnable).length).toBeGreaterThan(40);
  });

  it('has a reason for every command it does not run', () => {
    const unrun = all.flatMap((page) => page.fences.filter((fence) => fence.words.includes('no-run')));
    expect(unrun.map((fence) => fence.lines[0]).filter((first) => !NOT_RUN.has(first ?? ''))).toEqual([]);
    expect([...NOT_RUN.keys()].filter((first) => !unrun.some((fence) => fence.lines[0] === first))).toEqual([]);
  });

  it('shows the two commands of a fresh clone in the README', () => {
    const lines = all.find((page) => page.name === 'README.md')?.fences.flatMap((fence) => fence.lines);
    expect(lines).toContain('npm install && npm start');
    expect(lines).toContain('npm install && npm test');
  });

  it.concurrent.for(all.filter((page) => runnable(page).length > 0))(
    'says the truth in the commands of $name',
    { timeout: PAGE_MS_MAX },
    async (page, { expect: expectHere }) => {
      expectHere(await differences(page)).toEqual([]);
    },
  );

  it('links only to files and headings that exist', () => {
    const broken = all.flatMap((page) =>
      linksIn(page)
        .filter((link) => !/^[a-z]+:/.test(link))
        .flatMap((link) => {
          const why = brokenBecause(link, page.name);
          return why === undefined ? [] : [`${page.name}: ${link}: ${why}`];
        }),
    );
    expect(all.flatMap(linksIn).length).toBeGreaterThan(30);
    expect(broken).toEqual([]);
  });

  describe('beside the help of the program', () => {
    const commands = [...helpOf().matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map((match) => match[1] ?? '');
    const known = new Set(['--help', '--version', ...commands.flatMap((name) => flagsIn(helpOf(name)))]);
    const said = all.map((page) => page.text).join('\n');

    it('mentions no flag that does not exist', () => {
      expect(known.size).toBeGreaterThan(30);
      const unknown = all.flatMap((page) =>
        flagsIn(page.text)
          .filter((flag) => !known.has(flag) && !FOREIGN_FLAGS.has(flag))
          .map((flag) => `${page.name}: ${flag}`),
      );
      expect(unknown).toEqual([]);
    });

    it('mentions every flag of "tireless run"', () => {
      const mentioned = new Set(flagsIn(said));
      expect(flagsIn(helpOf('run')).filter((flag) => !mentioned.has(flag))).toEqual([]);
    });

    it('mentions every command', () => {
      expect(commands.length).toBeGreaterThan(10);
      expect(commands.filter((name) => !new RegExp(`\\btireless ${name}\\b`).test(said))).toEqual([]);
    });
  });
});

function isFile({ words }: Fence): boolean {
  return /[./]/.test(words[0] ?? '');
}

function runnable(page: Page): readonly Command[] {
  return page.fences
    .filter((fence) => fence.language === 'sh' && !fence.words.includes('no-run') && !isFile(fence))
    .flatMap(commandsOf)
    .filter((command) => !RUN_ELSEWHERE.has(command.text));
}

/** Everything a page says that is not so, in words. */
async function differences(page: Page): Promise<readonly string[]> {
  const session = openSession();
  const found: string[] = [];
  const judge = (command: Command, { code, stdout, stderr }: Ran): void => {
    if (code !== command.exits)
      found.push(
        `${page.name}:${command.line} exits ${code} instead of ${command.exits}: ${command.text}\n${stdout}${stderr}`,
      );
  };
  let background: (() => Promise<void>) | null = null;
  try {
    let last: Ran | null = null;
    for (const fence of page.fences) {
      const [word = ''] = fence.words;
      if (isFile(fence)) session.write(word, fence.lines);
      if (fence.language === 'text' && last !== null)
        found.push(...otherOutput(fence.lines, last).map((why) => `${page.name}:${fence.line} ${why}`));
      last = null;
      if (fence.language !== 'sh' || word === 'no-run' || isFile(fence)) continue;
      for (const command of commandsOf(fence)) {
        if (RUN_ELSEWHERE.has(command.text)) continue;
        if (word === 'background') {
          const { end } = await session.start(command.text);
          background = async () => judge(command, await end);
          continue;
        }
        last = await session.run(command.text);
        judge(command, last);
      }
      if (word === 'background') continue;
      await background?.();
      background = null;
    }
    expect(background).toBeNull();
  } finally {
    session.close();
  }
  return found;
}

/** Why the output is not the one the page shows; empty when it is. */
function otherOutput(shown: readonly string[], { stdout, stderr }: Ran): readonly string[] {
  const said = plain(`${stdout}${stderr}`.split('\n'));
  const parts = plain(shown).join('\n').split(/^…$/m);
  let rest = said.join('\n');
  for (const part of parts.map((each) => each.trim())) {
    const at = rest.indexOf(part);
    if (at === -1) return [`shows\n${part}\nwhich is not in the output:\n${said.join('\n')}`];
    rest = rest.slice(at + part.length);
  }
  return [];
}

/** What differs from run to run, taken out; a check that was asked twice in a row counts once. */
function plain(lines: readonly string[]): readonly string[] {
  const neutral = lines.map((line) =>
    line
      .trimEnd()
      .replaceAll(/\b\d{6}-\d{4}-[a-z0-9]{6}\b/g, 'LOOP')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
      .replaceAll(/\b(?:\d+(?:ms|[smh]) ?)+(?= of 4h|[,)]|$)/g, 'D')
      .replaceAll(/process \d+(?: on \S+)?/gi, 'process PID')
      .replaceAll(/duration_ms \S+/g, 'duration_ms N')
      .replaceAll(/(?:\/[\w.-]+)+\/shop\b/g, '/shop'),
  );
  return neutral.filter((line, index) => line === '' || line !== neutral[index - 1]);
}

function flagsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z]\b/g)].map((match) => match[0]))];
}
