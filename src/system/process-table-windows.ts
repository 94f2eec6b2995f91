import type { ProcessRow, ProcessTable } from './process-table.ts';
import type { RunTool } from './run-tool.ts';

/**
 * Windows has no process groups and does not show the environment of other processes, so only the process tree is known there. PowerShell
 * takes about half a second per question; nothing on the hook path uses it.
 */
export function windowsProcessTable(run: RunTool): ProcessTable {
  const query = (filter: string): WindowsRow[] =>
    parseProcesses(run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script(filter)]) ?? '');
  return {
    list: () => withoutForeignParents(query('')),
    carriers: () => [],
    environmentHas: () => false,
    startTimeOf: (pid) => query(`-Filter 'ProcessId=${pid}'`).find((row) => row.pid === pid)?.startTime,
  };
}

type WindowsRow = { readonly pid: number; readonly ppid: number; readonly startTime: string };

function script(filter: string): string {
  return (
    `Get-CimInstance Win32_Process ${filter} | ForEach-Object { ` +
    `$start = if ($_.CreationDate) { $_.CreationDate.ToFileTimeUtc() } else { 0 }; ` +
    `"$($_.ProcessId) $($_.ParentProcessId) $start" }`
  );
}

export function parseProcesses(text: string): WindowsRow[] {
  return text.split(/\r?\n/u).flatMap((line) => {
    const match = /^\s*(\d+) (\d+) (\d+)\s*$/u.exec(line);
    if (match === null) return [];
    return [{ pid: Number(match[1]), ppid: Number(match[2]), startTime: match[3] ?? '' }];
  });
}

/** A row keeps its parent's pid after the parent ended and the pid was reused. A parent that is younger than its child is unrelated. */
export function withoutForeignParents(rows: readonly WindowsRow[]): ProcessRow[] {
  const starts = new Map(rows.map((row) => [row.pid, BigInt(row.startTime)]));
  return rows.map((row) => {
    const parentStart = starts.get(row.ppid);
    const isOwn = parentStart !== undefined && parentStart <= BigInt(row.startTime);
    return { pid: row.pid, ppid: isOwn ? row.ppid : 0, pgid: 0 };
  });
}
