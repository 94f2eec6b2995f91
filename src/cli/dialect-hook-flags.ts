import { Fault } from '../core/fault.ts';
import { DAY_TURNS_MAX } from '../core/guards.ts';
import type { Limit } from '../core/loop.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { AfterApproval } from '../engine/dialect-extras.ts';
import { oneLine } from '../views/printable.ts';
import { parseCount, parseDuration, parseDurationOrNone } from './flag-values.ts';
import type { Flag, Values } from './flags.ts';
import { value } from './flags.ts';

/** For all loops in the state files of a project. */
export const DAY_FLAGS: { readonly 'max-day-turns': Flag<Limit | undefined> } = {
  'max-day-turns': value(
    'N',
    `how many turns a day the state files of one project may take, all loops together (default: ${DAY_TURNS_MAX})`,
    parseCount,
  ),
};

type ApprovalTable = {
  readonly 'approval-wait': Flag<number | undefined>;
  readonly 'after-approval': Flag<AfterApproval | undefined>;
  readonly 'approval-watch': Flag<number | undefined>;
};

/** For a document that waits for a person. */
export const APPROVAL_FLAGS: ApprovalTable = {
  'approval-wait': value(
    'TIME',
    'how long the stop that asks waits for the answer (default: as long as the host allows)',
    parseDurationOrNone,
  ),
  'after-approval': value(
    'HOW',
    'what a later answer does: resume the session, continue outer, or none (default: resume, where the host can)',
    afterApproval,
  ),
  'approval-watch': value('TIME', 'how long to wait for a later answer (default 24h)', parseDuration),
};

function afterApproval(given: string, name: string): AfterApproval {
  if (given === 'resume' || given === 'outer' || given === 'none') return given;
  throw new Fault('USAGE', `Cannot use "${oneLine(given, 60)}" for ${name}: it takes resume, outer or none.`);
}

type ApprovalValues = Values<ApprovalTable>;

/** Throws `USAGE` if a dialect without approvals gets one of these. */
export function refuseApproval(dialect: string | undefined, flags: ApprovalValues): void {
  const takers = DIALECT_NAMES.filter((name) => DIALECTS[name].waitsForApproval === true);
  const isGiven = Object.values(approvalWords(flags)).length > 0;
  if (!isGiven || takers.some((name) => name === dialect)) return;
  throw new Fault(
    'USAGE',
    `Cannot use --approval-wait, --after-approval and --approval-watch here: only ${takers.join(', ')} waits for a person. Leave them out.`,
  );
}

/** The given flags as words of a hook's command, by the name of the flag. */
export function hookWordsOf(flags: ApprovalValues & Values<typeof DAY_FLAGS>): Readonly<Record<string, string>> {
  const day = flags['max-day-turns'];
  return { ...approvalWords(flags), ...(day === undefined ? {} : { 'max-day-turns': String(day) }) };
}

function approvalWords(flags: ApprovalValues): Readonly<Record<string, string>> {
  const { 'approval-wait': waitMs, 'after-approval': after, 'approval-watch': watchMs } = flags;
  return {
    ...(waitMs === undefined ? {} : { 'approval-wait': `${waitMs}ms` }),
    ...(after === undefined ? {} : { 'after-approval': after }),
    ...(watchMs === undefined ? {} : { 'approval-watch': `${watchMs}ms` }),
  };
}
