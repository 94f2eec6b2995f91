/** The pages beside the program: links, flags, commands, and the README as a session. `commands.long.test.ts` runs the other pages. */
import { describe, expect, it } from 'vitest';
import { brokenBecause, linksIn, pages } from './pages.ts';
import { differences, runnable } from './run-page.ts';
import { helpOf } from './session.ts';

/** Every block that is marked `no-run`, by its first line. */
const NOT_RUN: ReadonlyMap<string, string> = new Map([
  [
    'tireless run "make the tests pass" --agent claude-code --check "npm test"',
    'needs Claude Code and an account; test/agents/run-by-name.test.ts runs it against a fake model',
  ],
  ['tireless install', 'asks at a terminal, about the agents of the machine; test/e2e/install.long.test.ts'],
  [
    `tireless run "make the tests pass" --sandbox --agent-command 'my-agent' --check 'npm test' --holdout 'npm run e2e'`,
    'needs bwrap; test/e2e/containment.everyday.test.ts',
  ],
  ['claude mcp add tireless -- tireless mcp', 'needs Claude Code; test/agents/hosts/claude-code-mcp.test.ts'],
  [
    `tireless run "make the tests pass" --check 'npm test' --agent claude-code --agent-args '--model opus --allowedTools "Bash(npm test:*)"'`,
    'needs Claude Code and Codex; test/agents/run-by-name.test.ts',
  ],
  ['npm run bench:hook', 'takes minutes, and its figures mean something on an idle machine only'],
  ['npm run bench:room', 'takes minutes, and its figures mean something on an idle machine only'],
  ['npm run bench', 'takes minutes, and its figures mean something on an idle machine only'],
]);

/** Flags of other programs, of tools in the repository and of `/ralph`, and a slip that a page shows on purpose. */
const FOREIGN_FLAGS = new Set([
  '--bare',
  '--test',
  '--test-reporter',
  '--test-reporter-destination',
  '--rerun',
  '--seed',
  '--again',
  '--resume',
  '--max-iteration',
  '--output-format',
  '--include-partial-messages',
  '--permission-mode',
  '--skip-git-repo-check',
  '--model',
  '--dangerously-skip-permissions',
]);

const PAGE_MS_MAX = 60_000;

describe('documentation', () => {
  const all = pages();
  const readme = all.find((page) => page.name === 'README.md');
  if (readme === undefined) throw new Error('there is no README.md');

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
    const lines = readme.fences.flatMap((fence) => fence.lines);
    expect(lines).toContain('npm install && npm start');
    expect(lines).toContain('npm install && npm test');
  });

  it('says the truth in the commands of the README', { timeout: PAGE_MS_MAX }, async () => {
    expect(await differences(readme)).toEqual([]);
  });

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
    const known = new Set([...flagsIn(helpOf()), '--help', ...commands.flatMap((name) => flagsIn(helpOf(name)))]);
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

function flagsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z]\b/g)].map((match) => match[0]))];
}
