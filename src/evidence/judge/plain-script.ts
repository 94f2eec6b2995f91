/** A check that is nothing but one script: `node test/all.js`, `python3 tests/run.py`, or an npm script that is. Text in, path out. */
import path from 'node:path';
import { parseShell } from './shell-words.ts';
import { readScripts } from './task-files.ts';
import { isRunner, nameOf, readRun, unwrap } from './unwrap.ts';

type Project = {
  /** Where the check runs, from the root. */
  readonly at: string;
  readonly isFile: (file: string) => boolean;
  readonly readText: (file: string) => string | undefined;
};

/** `undefined` = the command is more than that, or something else. */
export function plainScriptOf(command: string, project: Project): string | undefined {
  return scriptOf(command, project, true);
}

function scriptOf(command: string, project: Project, mayBeTask: boolean): string | undefined {
  const invocations = parseShell(command);
  const [only] = invocations;
  // A list, a pipe or a condition may change the exit code.
  if (only === undefined || invocations.length > 1 || only.isProbed || /[|&;]/.test(command)) return undefined;
  const words = unwrap(only.words);
  const task = taskOf(words);
  if (task !== undefined) {
    const scripts = readScripts(project.readText(path.posix.join(project.at, 'package.json')), 'scripts');
    const text = mayBeTask ? scripts.get(task) : undefined;
    return text === undefined ? undefined : scriptOf(text, project, false);
  }
  const [name] = isRunner(words) ? [] : (readRun(words)?.files ?? []);
  if (name === undefined || path.posix.isAbsolute(name)) return undefined;
  const file = path.posix.join(project.at, name);
  return project.isFile(file) ? file : undefined;
}

/** `npm test`, `npm run -s check`, `yarn check` */
function taskOf([program = '', ...rest]: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(nameOf(program))) return undefined;
  const words = rest.filter((word) => !word.startsWith('-'));
  const [first = '', second] = words;
  if (first === 'run' || first === 'run-script') return second;
  return first === 't' ? 'test' : first;
}
