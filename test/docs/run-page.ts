/**
 * A page of the documentation as a reader uses it. Each page is one session: a fresh project and an empty home, and its fenced
 * `sh` commands from top to bottom. What a page may say beside the plain commands:
 *
 * - `# exits 3` behind a command: its exit code, when it is not 0;
 * - a `text` block after a command: its output. Ids, times and paths may differ, `…` stands for lines left out;
 * - ```sh background: started and left running while the next block is run; then it has to end;
 * - ```sh no-run: not run here, for a reason that stands below;
 * - a file name after the language: the block is written to that file of the project;
 * - LOOP: the id of the loop that was started last.
 */
import assert from 'node:assert/strict';
import { commandsOf } from './pages.ts';
import type { Command, Fence, Page } from './pages.ts';
import type { Ran } from './session.ts';
import { openSession } from './session.ts';

/** Run on every change in a fresh clone, by `.ci/run` or by another test; running them here again would only take time. */
const RUN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['npm install && npm start', 'the install is the first step of .ci/run; test/e2e runs the demo that it starts'],
  ['npm install && npm test', 'this very test is part of it'],
  ['npm run test:all', '.ci/run, as npm test and test:long'],
  ['npm run check', '.ci/run, as check:static and npm test'],
  ['npm run test:agents', '.ci/run'],
  ['npm run test:nodes', '.ci/run'],
  ['tireless demo', 'test/e2e/demo.everyday.test.ts'],
  ['tireless demo --cheat', 'test/e2e/demo.long.test.ts'],
]);

function isFile({ words }: Fence): boolean {
  return /[./]/.test(words[0] ?? '');
}

export function runnable(page: Page): readonly Command[] {
  return page.fences
    .filter((fence) => fence.language === 'sh' && !fence.words.includes('no-run') && !isFile(fence))
    .flatMap(commandsOf)
    .filter((command) => !RUN_ELSEWHERE.has(command.text));
}

/** Everything on a page that is not true, in words. */
export async function differences(page: Page): Promise<readonly string[]> {
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
    assert.equal(background, null, 'a command in the background is never awaited');
  } finally {
    session.close();
  }
  return found;
}

/** Why the output differs from the page; empty if it does not. */
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

/** Without anything that differs from run to run; a check that ran twice in a row counts once. */
function plain(lines: readonly string[]): readonly string[] {
  const neutral = lines.map((line) =>
    line
      .trimEnd()
      .replaceAll(/\b\d{6}-\d{4}-[a-z0-9]{6}\b/g, 'LOOP')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
      .replaceAll(/\b(?:\d+(?:ms|[smh]) ?)+(?= of 4h|[,)]|$)/g, 'D')
      .replaceAll(/ \d+[smhd] +(?=shop |\d+ {2})/g, ' AGE ')
      .replaceAll(/process \d+(?: on \S+)?/gi, 'process PID')
      .replaceAll(/duration_ms \S+/g, 'duration_ms N')
      .replaceAll(/(?:\/[\w.-]+)+\/shop\b/g, '/shop'),
  );
  return neutral.filter((line, index) => line === '' || line !== neutral[index - 1]);
}
