import type { ProcessRow, ProcessTable } from './process-table.ts';
import type { RunTool } from './run-tool.ts';

/**
 * `ps`, one call per question. It shows the environment only for processes of the same user, which are the ones we start.
 */
export function darwinProcessTable(run: RunTool): ProcessTable {
  const withEnvironment = (args: readonly string[]): string =>
    run('ps', [...args, '-wwE', '-o', 'pid=', '-o', 'command=']) ?? '';
  return {
    list: () => parseRows(run('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'state=']) ?? ''),
    carriers: (entries, newerThan = 0) =>
      entries.length === 0 ? [] : parseCarriers(withEnvironment(['-A']), entries).filter((pid) => pid > newerThan),
    environmentHas: (pid, entry) => parseCarriers(withEnvironment(['-p', String(pid)]), [entry]).includes(pid),
    startTimeOf: (pid) => parseStart(run('ps', ['-p', String(pid), '-o', 'state=', '-o', 'lstart=']) ?? ''),
  };
}

export function parseRows(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/u.exec(line);
    if (match === null || match[4]?.startsWith('Z') === true) return [];
    return [{ pid: Number(match[1]), ppid: Number(match[2]), pgid: Number(match[3]) }];
  });
}

/** `ps -E` appends the environment to the command, separated by spaces: an entry counts as a whole word. */
export function parseCarriers(text: string, entries: readonly string[]): number[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s(.*)$/u.exec(line);
    if (match === null) return [];
    const words = ` ${match[2]} `;
    return entries.some((entry) => words.includes(` ${entry} `)) ? [Number(match[1])] : [];
  });
}

function parseStart(text: string): string | undefined {
  const match = /^\s*(\S+)\s+(\S.*\S)\s*$/u.exec(text);
  if (match === null || match[1]?.startsWith('Z') === true) return undefined;
  return match[2]?.replaceAll(/\s+/gu, ' ');
}
