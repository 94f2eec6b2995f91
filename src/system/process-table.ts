import { currentPlatform, type Platform } from './paths.ts';
import { darwinProcessTable } from './process-table-darwin.ts';
import { linuxProcessTable } from './process-table-linux.ts';
import { windowsProcessTable } from './process-table-windows.ts';
import { runTool } from './run-tool.ts';

/** `pgid` is 0 if the system has no process groups. */
export type ProcessRow = { readonly pid: number; readonly ppid: number; readonly pgid: number };

/**
 * The processes running on this machine, read again at every call. Never throws: processes that have ended or that we may not inspect are left out,
 * and so are zombies.
 */
export type ProcessTable = {
  readonly list: () => ProcessRow[];
  /**
   * Pids whose environment carries one of the entries (`NAME=value`, whole). With `newerThan`, only pids above it are
   * looked at.
   */
  readonly carriers: (entries: readonly string[], newerThan?: number) => number[];
  readonly environmentHas: (pid: number, entry: string) => boolean;
  /** Opaque; together with the boot it distinguishes two processes with the same pid. `undefined` = no such process. */
  readonly startTimeOf: (pid: number) => string | undefined;
  /** The most recently assigned pid, if the system reports it. */
  readonly newestPid?: () => number | undefined;
};

export function processTable(os: Platform['os'] = currentPlatform().os): ProcessTable {
  switch (os) {
    case 'linux':
      return linuxProcessTable('/proc');
    case 'darwin':
      return darwinProcessTable(runTool);
    case 'win32':
      return windowsProcessTable(runTool);
  }
}
