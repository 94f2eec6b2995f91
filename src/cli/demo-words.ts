import { currentPlatform } from '../system/paths.ts';
import { findsProgram } from '../system/project.ts';
import { shellLine } from '../system/shell-line.ts';
import type { Output } from './io.ts';
import { say } from './io.ts';
import { sayStory } from './open-display.ts';

const COLUMNS_WITHOUT_SCREEN = 80;

/** What to type next, ready to paste: it fits the screen, and calls this program in a way that the shell can find. */
export function sayTryIt(out: Output, cwd: string): void {
  sayStory(out, 'In your own project, with your own agent:');
  say(
    out,
    ...commandRows([`${ownName(cwd)} run "make the tests pass"`, '--agent claude-code', '--check "npm test"'], out),
  );
}

/** For people to paste: `tireless` if their shell finds it. After `npm start` in a clone it does not. */
export function ownName(cwd: string): string {
  const platform = currentPlatform();
  if (findsProgram('tireless', cwd, platform) !== false) return 'tireless';
  return shellLine(['node', process.argv[1] ?? 'dist/cli.js'], platform);
}

/** One command, continued on the next row if it is too long for the screen. */
function commandRows(parts: readonly string[], out: Output): readonly string[] {
  const columns = out.isTTY ? out.columns() : COLUMNS_WITHOUT_SCREEN;
  const rows: string[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    if (last !== undefined && `${last} ${part} \\`.length <= columns) rows[rows.length - 1] = `${last} ${part}`;
    else rows.push(`${last === undefined ? '  ' : '    '}${part}`);
  }
  return rows.map((row, index) => (index < rows.length - 1 ? `${row} \\` : row));
}
