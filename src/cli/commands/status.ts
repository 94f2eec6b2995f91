import { parseActivityLine } from '../../core/activity-line.ts';
import type { Loaded } from '../../engine/ports.ts';
import { driverOf, watcherOf } from '../../system/driver-process.ts';
import { sessionNowLines, workLines } from '../../views/now-lines.ts';
import { oneLine } from '../../views/printable.ts';
import { counted, raiseAdvice, stateSentence } from '../../views/sentences.ts';
import type { SeenOfSession } from '../../views/standstill.ts';
import { STALLED, standstillOf } from '../../views/standstill.ts';
import { statusLines } from '../../views/status-lines.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { JSON_FLAG } from '../loop-flags.ts';
import { oldestFirst, viewWithDriver } from '../print-loops.ts';
import { liveMsOf } from '../live-time.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import { isInProjectOf } from '../../system/project.ts';
import type { World } from '../services.ts';
import { seenOfAll } from '../seen-session.ts';
import { shownLoops } from '../shown-loops.ts';
import type { BrokenFile, WaitingFile } from '../../setup/waiting-files.ts';
import { brokenFileOf, openLoopsNow } from '../../setup/waiting-files.ts';
import { brokenLine, freeStateFiles, waitingLines } from '../waiting-files.ts';

export const status: Command = command({
  page: {
    name: 'status',
    synopsis: ['tireless status [LOOP] [--json]'],
    about: [
      'The open loops of this project: their state, what they wait for, and whether the process that drives them is alive. With LOOP: that',
      "one, ended or not. Of other projects' open loops, only the newest are listed.",
      'Also lists active state files whose loop begins at the next stop, and state files that cannot be read. A loop whose file is',
      'missing or switched off ends here.',
    ],
    flags: { Options: JSON_FLAG },
    examples: ['tireless status', 'tireless status --json'],
    notes: ['LOOP is an id, the beginning of one, or "last", the newest loop of this project.', ...PLAIN_EXIT_CODES],
  },
  flags: JSON_FLAG,
  run: async ({ words, values }, world) => {
    const given = loopArgument(words);
    const { elsewhere, endedByFile, ...found } = await loopsFor(given, world);
    const loops = await shownLoops(found.loops, world);
    const broken = await Promise.all(loops.map((loaded) => brokenFileOf(loaded, world.services)));
    const seen = await seenOfAll(loops, world);
    const seenElsewhere = await seenOfAll(elsewhere, world);
    const answers = await Promise.all(loops.map((loaded) => answerTo(loaded, world)));
    const now = values.json ? [] : await Promise.all(loops.map((loaded, at) => nowLinesOf(loaded, seen[at], world)));
    const free = given === undefined ? await freeStateFiles(world) : NO_FILES;
    const unreadable = [...broken.filter((each) => each !== null), ...free.broken];
    if (values.json)
      sayJson(world.stdout, {
        loops: loops.map((loaded, at) => viewWithDriver(loaded, seen[at])),
        ...(elsewhere.length === 0
          ? {}
          : { elsewhere: elsewhere.map((loaded, at) => viewWithDriver(loaded, seenElsewhere[at])) }),
        ...(free.waiting.length === 0 ? {} : { files: free.waiting.map(fileView) }),
        ...(unreadable.length === 0 ? {} : { unreadable }),
      });
    else {
      const lostStops = await lostStopsLines(world);
      say(
        world.stdout,
        ...loops.flatMap((loaded, at) => [
          ...statusLines(loaded, driverOf(loaded.state), {
            watcher: watcherOf(loaded.state),
            answer: answers[at] ?? null,
            seen: seen[at] ?? {},
            now: now[at] ?? [],
            liveMs: liveMsOf(loaded, seen[at]),
          }),
          ...linesOf(broken[at]),
          ...lostStops(loaded),
        ]),
        ...endedByFile.map((loaded) => `loop ${loaded.state.loop} ${stateSentence(loaded)}`),
        ...free.waiting.flatMap(waitingLines),
        ...free.broken.map((each) => brokenLine(each, { withName: true })),
        ...(loops.length + free.waiting.length + free.broken.length === 0
          ? [NONE_HERE, ...haltedLines(await haltedHere(world))]
          : []),
        ...elsewhereLines(elsewhere, seenElsewhere),
      );
    }
    return given !== undefined && unreadable.length > 0 ? EXIT.fault : EXIT.ok;
  },
});

/** Empty if nobody is at work on the loop. */
async function nowLinesOf(
  { spec, state }: Loaded,
  seen: SeenOfSession = {},
  { services }: World,
): Promise<readonly string[]> {
  if (state.status !== 'running') return [];
  const nowMs = Date.now();
  const isInSession = spec.driver === 'session';
  if (isInSession ? state.session === null : state.phase !== 'working' || driverOf(state)?.alive !== true) return [];
  const entries = (await services.store()).entries(state.loop);
  if (isInSession) {
    const { at = state.updatedAt } = entries.findLast(({ decision }) => decision.kind === 'continue') ?? {};
    return sessionNowLines({ beganAt: at, activeMs: seen.workedMs ?? seen.writtenMs ?? null, nowMs });
  }
  const began = entries.findLast(({ event }) => event.kind === 'iteration-began');
  if (began === undefined) return [];
  const lines = (await services.lastActivity(state.loop)).flatMap((line) => parseActivityLine(line) ?? []);
  return workLines({ beganAt: began.at, lines, nowMs });
}

/** Loaded late: it is part of the doctor. */
async function lostStopsLines(world: World): Promise<(loaded: Loaded) => readonly string[]> {
  const { lostStopsReason } = await import('../../setup/doctor/lost-stops.ts');
  return (loaded) => {
    const why = lostStopsReason(loaded, world);
    return why === null ? [] : [`  hooks:     no stops arrive: ${why}`];
  };
}

/** A person's answer in the folders of a document that has not reached the loop yet. */
async function answerTo(loaded: Loaded, { services }: World): Promise<string | null> {
  const { dialect } = loaded.spec;
  if (dialect === undefined || loaded.state.status !== 'paused') return null;
  return (await services.dialectExtras(dialect.name)).answerNotice?.(loaded) ?? null;
}

const ELSEWHERE_MAX = 5;
const STATUS_COLUMNS = 9;
const TEXT_CHARS_MAX = 100;
const NO_FILES = { waiting: [], broken: [] };
const NONE_HERE =
  'no open loops in this project; "tireless list" shows the loops of every project, "tireless history" the ended ones';

/** The loop of this project that ended last, if a limit or a failure ended it: it can be resumed. */
async function haltedHere({ cwd, services }: World): Promise<Loaded | undefined> {
  const isHere = isInProjectOf(cwd);
  const ended = (await services.store()).list({ ended: true }).filter(({ state }) => isHere(state.cwd));
  const [last] = ended.toSorted((a, b) => ((a.state.endedAt ?? '') < (b.state.endedAt ?? '') ? 1 : -1));
  return last?.state.status === 'halted' ? last : undefined;
}

function haltedLines(halted: Loaded | undefined): readonly string[] {
  if (halted === undefined) return [];
  const { spec, state } = halted;
  const guard = state.outcome?.kind === 'halted' ? state.outcome.guard : null;
  const flag = guard === null ? null : raiseAdvice(guard, state.limits, spec.dialect);
  return [
    `the last one, ${state.loop}, ${stateSentence({ spec, state })}`,
    `  continue:  tireless resume ${state.loop}${flag === null ? '' : ` ${flag}`}`,
  ];
}

type Shown = {
  readonly loops: readonly Loaded[];
  readonly elsewhere: readonly Loaded[];
  /** Loops that ended just now, because their state file is missing or switched off. */
  readonly endedByFile: readonly Loaded[];
};

async function loopsFor(given: string | undefined, world: World): Promise<Shown> {
  const store = await world.services.store();
  if (given !== undefined)
    return {
      loops: [pickLoop(store, { given, cwd: world.cwd, kind: 'any', fits: () => true })],
      elsewhere: [],
      endedByFile: [],
    };
  const isHere = isInProjectOf(world.cwd);
  const before = store.list({ ended: false });
  const open = await openLoopsNow(isHere, world.services);
  const isOpen = new Set(open.map(({ state }) => state.loop));
  const loops = oldestFirst(open);
  return {
    loops: loops.filter(({ state }) => isHere(state.cwd)),
    elsewhere: loops.filter(({ state }) => !isHere(state.cwd)),
    endedByFile: before.flatMap(({ state }) => (isOpen.has(state.loop) ? [] : (store.load(state.loop) ?? []))),
  };
}

/** Only mentions them: nothing is done about a loop of another project. */
function elsewhereLines(loops: readonly Loaded[], seen: readonly SeenOfSession[]): readonly string[] {
  if (loops.length === 0) return [];
  const words = loops.map(({ state }, at) => (standstillOf(state, seen[at]) === null ? state.status : STALLED));
  const width = Math.max(STATUS_COLUMNS, ...words.map(({ length }) => length));
  const rows = loops
    .map(
      ({ state }, at) => `  ${state.loop}  ${(words[at] ?? '').padEnd(width)}  ${oneLine(state.cwd, TEXT_CHARS_MAX)}`,
    )
    .slice(-ELSEWHERE_MAX);
  return [`${counted(loops.length, 'open loop')} in other projects ("tireless list" shows all):`, ...rows];
}

function linesOf(broken: BrokenFile | null | undefined): readonly string[] {
  return broken === null || broken === undefined ? [] : [brokenLine(broken, { withName: false })];
}

function fileView({ dialect, place, reading }: WaitingFile): object {
  return { dialect, file: place.file, goal: reading.goal };
}
