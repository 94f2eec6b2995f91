import path from 'node:path';
import { quoted } from '../hosts/guard.ts';
import { findsProgram } from '../system/project.ts';
import type { Platform } from '../system/paths.ts';
import { tirelessHome } from '../system/paths.ts';

/** `script`: any of the programs that lie beside the command line. */
type ProgramFiles = { readonly node: string; readonly script: string; readonly home: string };

/**
 * How an agent in `cwd` can call tireless: by its name where its shell finds it, and else as the hook itself was called, which a plugin
 * and `npx` leave without a name. With the home of the loop where the agent's own environment names another one.
 */
export function ownCall({ node, script, home }: ProgramFiles, cwd: string, platform: Platform): string {
  // `undefined` = nobody can say (Windows): then the name is the better guess, because nobody knows its shell either.
  const isNamed = findsProgram('tireless', cwd, platform) !== false;
  const call = isNamed ? 'tireless' : [node, path.join(path.dirname(script), 'cli.js')].map(quoted).join(' ');
  const isKnown = platform.os === 'win32' || homeIn(platform) === home;
  return isKnown ? call : `TIRELESS_HOME=${quoted(home)} ${call}`;
}

/** A home that is refused is none. */
function homeIn(platform: Platform): string | undefined {
  try {
    return tirelessHome(platform);
  } catch {
    return undefined;
  }
}
