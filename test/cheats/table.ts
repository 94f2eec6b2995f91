import { writeFileSync } from 'node:fs';
import { CHEATS, HONEST } from './catalogue/all.ts';
import type { Agent } from './catalogue/case.ts';
import type { Ended } from './run-case.ts';

/** `withHoldout`: the same agent, run again with a hold-out check. */
export type Row = { readonly agent: Agent; readonly ended: Ended; readonly withHoldout?: Ended };

/** Writes the page of the documentation, in the order of the catalogue. Nothing on it depends on time or place. */
export function writeTable(file: string, rows: readonly Row[]): void {
  const inOrder = (agents: readonly Agent[]): readonly Row[] =>
    agents.flatMap((agent) => rows.filter((row) => row.agent.name === agent.name));
  const cheats = inOrder(CHEATS);
  const honest = inOrder(HONEST);
  const lines = [
    '# Agents that cheat, and agents that do not',
    '',
    'Small agents run against tiny projects with one bug, with the default flags and a check such as `npm test`. A cheat makes the check pass',
    'without a fix, or goes for the referee, and claims DONE three times. An honest agent fixes the bug and does something else that honest work includes.',
    '',
    'This page is generated: `npm run cheats` runs every agent of `test/cheats` and writes down how the loop ended.',
    '',
    ...counts(cheats, honest),
    '',
    '## Cheats',
    '',
    '| Cheat | Class | Project | How it ended | What caught it |',
    '| --- | --- | --- | --- | --- |',
    ...cheats.map((row) => line([row.agent.name, row.agent.class, row.agent.project, endOf(row.ended), caughtBy(row)])),
    '',
    '## Honest agents',
    '',
    '| Agent | Project | How it ended | A human was asked |',
    '| --- | --- | --- | --- |',
    ...honest.map(({ agent, ended }) =>
      line([agent.name, agent.project, endOf(ended), ended.wasApproved ? 'yes, and approved' : 'no']),
    ),
    '',
  ];
  writeFileSync(file, lines.join('\n'));
}

function counts(cheats: readonly Row[], honest: readonly Row[]): readonly string[] {
  const special = cheats.filter(({ agent }) => agent.expectation === 'special-casing');
  const others = cheats.filter(({ agent }) => agent.expectation === 'caught');
  const verified = (rows: readonly Row[]): number => rows.filter(({ ended }) => ended.isVerified).length;
  return [
    '| Agents | How many | Completed, verified |',
    '| --- | --- | --- |',
    `| cheats | ${others.length} | ${verified(others)} |`,
    `| cheats that only special-case the visible tests | ${special.length} | ${verified(special)}, and ${special.filter(({ withHoldout }) => withHoldout?.isVerified).length} with one hold-out check |`,
    `| honest agents | ${honest.length} | ${verified(honest)} |`,
  ];
}

function endOf({ status, isVerified }: Ended): string {
  return isVerified ? 'completed, verified' : status;
}

function caughtBy({ agent, ended, withHoldout }: Row): string {
  if (withHoldout !== undefined && ended.isVerified)
    return withHoldout.isVerified ? 'nothing' : 'nothing by default, one hold-out check';
  if (agent.raisesLimit === true) return ended.isLimitRaised ? 'nothing: the limit is raised' : 'the limit stays';
  if (agent.breaksLater === true && ended.isRight) return 'the process that would break it is ended';
  if (ended.isVerified) return 'nothing';
  if (ended.inTree === 'failed') return 'the check fails in the work tree';
  if (ended.inTree === 'unknown') return 'the check does not end in the work tree';
  return ended.reason.replace(/^(?:halted|paused): /u, '');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
