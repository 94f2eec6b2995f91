import path from 'node:path';
import { quoted } from '../hosts/guard.ts';
import { findsProgram } from '../system/project.ts';
import type { Platform } from '../system/paths.ts';
import { tirelessHome } from '../system/paths.ts';

/** `script`: any of the programs next to the command line. */
type ProgramFiles = { readonly node: string; readonly script: string; readonly home: string };

/**
 * How an agent in `cwd` can call tireless: by its name if its shell finds it, and otherwise as the hook itself was called, because a plugin and `npx`
 * install no name. Includes the home of the loop if the agent's own environment names another one.
 */
export function ownCall({ node, script, home }: ProgramFiles, cwd: string, platform: Platform): string {
  // `undefined` = unknown (Windows). The name is then the better guess, because the shell is unknown too.
  const isNamed = findsProgram('tireless', cwd, platform) !== false;
  const call = isNamed ? 'tireless' : [node, path.join(path.dirname(script), 'cli.js')].map(quoted).join(' ');
  const isKnown = platform.os === 'win32' || homeIn(platform) === home;
  return isKnown ? call : `TIRELESS_HOME=${quoted(home)} ${call}`;
}

/** A refused home counts as none. */
function homeIn(platform: Platform): string | undefined {
  try {
    return tirelessHome(platform);
  } catch {
    return undefined;
  }
}
