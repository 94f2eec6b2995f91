import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AGENTS = {
  'deletes-project': new URL('./fake-agents/deletes-project.mjs', import.meta.url),
  'double-forks': new URL('./fake-agents/double-forks.mjs', import.meta.url),
  floods: new URL('./fake-agents/floods.mjs', import.meta.url),
  'ignores-sigterm': new URL('./fake-agents/ignores-sigterm.mjs', import.meta.url),
  'keeps-prompt': new URL('./fake-agents/keeps-prompt.mjs', import.meta.url),
  'reports-usage': new URL('./fake-agents/reports-usage.mjs', import.meta.url),
};
const POLL_MS = 20;

/** The command that runs one of test/support/fake-agents, with its arguments quoted for the shell. */
export function fakeAgent(name: keyof typeof AGENTS, ...args: readonly string[]): string {
  const words = [process.execPath, fileURLToPath(AGENTS[name]), ...args];
  return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
}

/** The pid that a process wrote into a file. */
export async function pidIn(file: string): Promise<number> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  return Number(readFileSync(file, 'utf8'));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie has exited; its parent, or pid 1 of a container, has not reaped it yet.
  return !existsSync(`/proc/${pid}/stat`) || !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The test's own timeout is the limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
