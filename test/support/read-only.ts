import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';

const isRoot = process.getuid?.() === 0;

/** Root can write anywhere, so it needs a mount for this. */
export const canBeReadOnly: boolean =
  process.platform !== 'win32' && (!isRoot || spawnSync('sh', ['-c', 'unshare -m true']).status === 0);

/** Runs something while nothing can be written to a folder. */
export async function whileReadOnly<R>(folder: string, run: () => R | Promise<R>): Promise<R> {
  const lock = isRoot
    ? () => shell(`mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"`, folder)
    : () => chmodSync(folder, 0o500);
  lock();
  try {
    return await run();
  } finally {
    if (isRoot) shell(`umount -l "$0"`, folder);
    else chmodSync(folder, 0o700);
  }
}

function shell(script: string, folder: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
}
