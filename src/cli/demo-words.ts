import { currentPlatform } from '../system/paths.ts';
import { findsProgram } from '../system/project.ts';
import { shellLine } from '../system/shell-line.ts';
import type { Output } from './io.ts';
import { sayStory } from './open-display.ts';

/** What to type next, ready to paste: it fits the screen, and calls this program in a way that the shell can find. */
export function sayTryIt(out: Output, cwd: string): void {
  sayStory(out, 'In your own project, with your own agent:');
  sayStory(out, `  ${ownName(cwd)} run "make the tests pass" --agent claude-code --check "npm test"`);
}

/** For people to paste: `tireless` if their shell finds it. After `npm start` in a clone it does not. */
export function ownName(cwd: string): string {
  const platform = currentPlatform();
  if (findsProgram('tireless', cwd, platform) !== false) return 'tireless';
  return shellLine(['node', process.argv[1] ?? 'dist/cli.js'], platform);
}
