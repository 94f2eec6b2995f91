import type * as childProcess from 'node:child_process';
import { createRequire } from 'node:module';

/** Loaded when needed: on Linux no tool is ever run, and loading it would slow down every command. */
function loadChildProcess(): typeof childProcess {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It is what its name says.
  return createRequire(import.meta.url)('node:child_process') as typeof childProcess;
}

/**
 * Output of a system tool such as `ps`; `undefined` = it is missing, failed or took too long. Injected so that foreign
 * platforms can be tested.
 */
export type RunTool = (command: string, args: readonly string[]) => string | undefined;

const TOOL_TIMEOUT_MS = 15_000;
const TOOL_OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export const runTool: RunTool = (command, args) => {
  const result = loadChildProcess().spawnSync(command, args, {
    encoding: 'utf8',
    // Dates must not depend on the user's language or on the time zone of the calling process.
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    maxBuffer: TOOL_OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TOOL_TIMEOUT_MS,
    windowsHide: true,
  });
  return result.status === 0 ? result.stdout : undefined;
};
