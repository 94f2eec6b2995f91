import path from 'node:path';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import type { Program } from '../../system/settings-files.ts';
import { isFile, thisProgram } from '../../system/settings-files.ts';

/**
 * Records the location of tireless, in two lines: Node, and the hook. A plugin that a host copied elsewhere uses it to find us. The program
 * that was used last wins; a program that is not built has no hook, and is not recorded.
 */
export function writeLaunchFile(home: string, program: Program = thisProgram()): void {
  if (!isFile(program.hook)) return;
  const file = path.join(home, 'launch');
  const text = `${program.node}\n${program.hook}\n`;
  if (readTextIfExists(file) === text) return;
  ensureDir(home);
  writeFileAtomic(file, text, { durable: false });
}
