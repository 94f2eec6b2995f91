import type { HostId } from '../../hosts/ids.ts';

/** One thing that was examined. `fix`: what to do about a problem, in one line; every problem has one. */
export type Finding = { readonly host: HostId | null; readonly about: About; readonly text: string } & (
  | { readonly status: 'ok' | 'note' }
  | { readonly status: 'problem'; readonly fix: string }
);

type About =
  | 'home'
  | 'processes'
  | 'sandbox'
  | 'program'
  | 'installed'
  | 'paths'
  | 'timeout'
  | 'trust'
  | 'cap'
  | 'hooks-off'
  | 'shim'
  | 'conflict'
  | 'commands'
  | 'dialects'
  | 'fires';

type FindingText = { readonly about: About; readonly text: string };

export function ok(host: HostId | null, finding: FindingText): Finding {
  return { host, ...finding, status: 'ok' };
}

/** Worth knowing, but there is nothing to do. */
export function note(host: HostId | null, finding: FindingText): Finding {
  return { host, ...finding, status: 'note' };
}

export function problem(host: HostId | null, finding: FindingText & { readonly fix: string }): Finding {
  return { host, ...finding, status: 'problem' };
}

export function hasProblem(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'problem');
}

const STATUS_COLUMNS = 9;
const ABOUT_COLUMNS = 11;

/** One line each, below the name of its host; a fix is on the line below its problem. `last`: the finding shown before these. */
export function findingLines(findings: readonly Finding[], last: Finding | undefined): readonly string[] {
  return findings.flatMap((finding, at) => {
    const before = findings[at - 1] ?? last;
    const title = before?.host === finding.host ? [] : [finding.host ?? 'tireless'];
    const gap = before === undefined || title.length === 0 ? [] : [''];
    return [...gap, ...title, ...linesOf(finding)];
  });
}

function linesOf(finding: Finding): readonly string[] {
  const { status, about, text } = finding;
  const line = `  ${status.padEnd(STATUS_COLUMNS)}${about.padEnd(ABOUT_COLUMNS)}${text}`;
  return finding.status === 'problem'
    ? [line, `  ${' '.repeat(STATUS_COLUMNS + ABOUT_COLUMNS)}fix: ${finding.fix}`]
    : [line];
}

export function summaryLine(findings: readonly Finding[]): string {
  const problems = findings.filter(({ status }) => status === 'problem').length;
  return problems === 0 ? 'No problems found.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`;
}
