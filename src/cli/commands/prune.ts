import path from 'node:path';
import type { Loaded } from '../../engine/ports.ts';
import type { PruneResult, PrunePlan } from '../../engine/prune-loops.ts';
import { planPrune, prunePlanned } from '../../engine/prune-loops.ts';
import { modifiedMs } from '../../system/folder.ts';
import { bytesText } from '../../views/bytes.ts';
import { oneLine } from '../../views/printable.ts';
import { counted } from '../../views/sentences.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { parseDurationOrNone, parseNumberOf } from '../flag-values.ts';
import type { FlagTable } from '../flags.ts';
import { toggle, value } from '../flags.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { requireNoWords } from '../loop-argument.ts';
import { oldestFirst, printTable } from '../print-loops.ts';
import type { World } from '../services.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OLDER_THAN_MS = 30 * DAY_MS;
const PATH_CHARS_MAX = 200;
const NOBODY_TO_ASK =
  'tireless: nothing was removed: there is no terminal to ask at. Add --yes to remove it, or --dry-run to only look.';

const FLAGS = {
  'older-than': value(
    'D',
    'only what ended, or was last used, longer ago (default 30d); 0s = all that ended',
    parseDurationOrNone,
  ),
  keep: value('N', 'keep the newest N ended loops, whatever their age', (given, name) => parseNumberOf(given, name, 0)),
  'dry-run': toggle('only show what would be removed'),
  yes: toggle('do not ask'),
  json: toggle('print one JSON object'),
} as const satisfies FlagTable;

export const prune: Command = command({
  page: {
    name: 'prune',
    synopsis: ['tireless prune [--older-than D] [--keep N] [--dry-run] [--yes] [--json]'],
    about: [
      'Remove loops that ended long ago: journal, kept baseline and recorded output. Open loops are never removed, and neither is a loop',
      'whose state file is still in its project. What killed processes left behind is removed too: clean rooms, and old temporary folders of',
      'tireless. Shows what will be removed and how much space it frees, and asks. Without a terminal to ask at it needs --yes.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless prune --dry-run', 'tireless prune --older-than 7d --keep 20 --yes'],
    notes: ['A removed loop can no longer be explained, replayed or resumed.', ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  isForPeople: true,
  run: async ({ words, values }, world) => {
    requireNoWords(words, 'prune');
    const beforeMs = Date.now() - (values['older-than'] ?? OLDER_THAN_MS);
    const store = await world.services.store();
    const pruner = await world.services.pruner();
    const plan = planPrune({ beforeMs, keep: values.keep ?? 0 }, store, { pruner, hasStateFile });
    if (!values.json) printPlan(plan, world);
    const isEmpty = plan.loops.length + plan.strays.length === 0;
    if (isEmpty || values['dry-run']) return report(plan, null, values.json, world);
    const { canConfirm } = await import('../../setup/settings/confirm.ts');
    if (!values.yes && (values.json || !canConfirm(world))) {
      say(world.stderr, NOBODY_TO_ASK);
      return EXIT.usage;
    }
    if (!values.yes && !(await mayRemove(world))) {
      say(world.stdout, 'nothing was removed');
      return EXIT.fault;
    }
    const removed = await prunePlanned(plan, pruner);
    for (const loop of removed.kept)
      say(world.stderr, `tireless: loop ${loop} is kept: it changed after it was selected`);
    return report(plan, removed, values.json, world);
  },
});

function hasStateFile({ spec, state }: Loaded): boolean {
  return spec.dialect !== undefined && modifiedMs(path.join(state.cwd, spec.dialect.file)) !== undefined;
}

function printPlan({ loops, strays }: PrunePlan, world: World): void {
  if (loops.length > 0) printTable(oldestFirst(loops.map(({ loaded }) => loaded)), world.stdout);
  say(
    world.stdout,
    ...strays.map((stray) => `left behind: ${oneLine(stray.path, PATH_CHARS_MAX)} (${bytesText(stray.bytes)})`),
  );
}

async function mayRemove(world: World): Promise<boolean> {
  const { openConfirmer } = await import('../../setup/settings/confirm.ts');
  const confirmer = openConfirmer(world);
  try {
    return await confirmer.confirm('Remove all of this permanently?');
  } finally {
    await confirmer.close();
  }
}

function report({ loops, strays }: PrunePlan, removed: PruneResult | null, json: boolean, { stdout }: World): number {
  const bytes = sum([...loops, ...strays].map((each) => each.bytes));
  if (json) {
    const found = {
      loops: loops.map(({ loaded, bytes: size }) => ({ id: loaded.state.loop, bytes: size })),
      strays,
      bytes,
    };
    const gone = removed && { loops: removed.loops, strays: removed.strays, bytes: removed.bytes };
    sayJson(stdout, { dryRun: removed === null, ...found, removed: gone });
    return EXIT.ok;
  }
  if (loops.length + strays.length === 0) say(stdout, 'nothing to remove');
  else if (removed === null)
    say(stdout, `${wordsFor(loops.length, strays.length)} would be removed: ${bytesText(bytes)}`);
  else say(stdout, `removed ${wordsFor(removed.loops.length, removed.strays)}: ${bytesText(removed.bytes)}`);
  return EXIT.ok;
}

function wordsFor(loops: number, strays: number): string {
  return strays === 0
    ? counted(loops, 'loop')
    : `${counted(loops, 'loop')} and ${counted(strays, 'folder')} left behind`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
