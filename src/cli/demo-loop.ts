import type { LoopId } from '../core/loop.ts';
import { requireOwnEnd } from '../engine/require-own-end.ts';
import { demoSpec } from '../runner/demo/demo-spec.ts';
import { prepareDemo } from '../runner/demo/prepare-demo.ts';
import { systemClock } from '../system/clock.ts';
import { newLoopId } from '../system/ids.ts';
import { currentPlatform } from '../system/paths.ts';
import { thisMachine } from '../system/worker-identity.ts';
import type { Progress } from '../terminal/display.ts';
import type { Line } from '../terminal/narrate.ts';
import { durationText } from '../views/duration.ts';
import { viewOf } from '../views/loop-view.ts';
import { counted, outcomeSentence } from '../views/sentences.ts';
import type { DemoFolder } from './demo-folder.ts';
import { withDemoFolder } from './demo-folder.ts';
import { ownName, sayTryIt } from './demo-words.ts';
import { guessChecksIn } from '../setup/guess-checks.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { say, sayJson } from './io.ts';
import type { JsonMode } from './open-display.ts';
import { humanOutput, openStory, sayOutcome, sayStory } from './open-display.ts';
import type { DriveResult, World } from './services.ts';

export type Demo = {
  readonly agent: 'honest' | 'cheating';
  readonly intro: string;
  readonly narrate: (progress: Progress) => readonly Line[];
  /** Are the agent's messages part of the story? */
  readonly quotes: boolean;
  /** The lines after the outcome. */
  readonly sum: () => readonly string[];
};

export type DemoFlags = { readonly json: JsonMode; readonly keep: boolean };

/** A loop like any other, in its own project and home; both are removed at the end unless they are kept. */
export function runDemo(demo: Demo, flags: DemoFlags, world: World): Promise<number> {
  return withDemoFolder(flags.keep, (folder) => show(demo, folder, flags, world));
}

async function show(demo: Demo, folder: DemoFolder, { json, keep }: DemoFlags, world: World): Promise<number> {
  const out = humanOutput(world, json);
  const { driven, loop } = await drive(demo, folder, json, world);
  const { loaded, ended } = await requireOwnEnd(driven, guessChecksIn);
  const took = `${counted(loaded.state.counted, 'iteration')}, ${durationText(loaded.state.runningMs)}`;
  if (ended === 'loop-ended') {
    say(out, '');
    sayOutcome(world, json, loaded.state, outcomeSentence(loaded));
    sayStory(out, `  ${took}`, ...demo.sum(), '');
  } else sayStory(out, '', 'The demo was stopped.');
  if (keep) sayKept(folder, loop, world, json);
  else sayStory(out, 'The demo removed its files; --keep would have kept the project and its loop.');
  if (ended !== 'loop-ended') return EXIT.interrupted;
  say(out, '');
  sayTryIt(out, world.cwd);
  if (json !== 'no') sayJson(world.stdout, viewOf(loaded));
  return exitCodeOf(loaded, { requireVerified: currentPlatform().os !== 'win32' });
}

async function drive(
  demo: Demo,
  folder: DemoFolder,
  json: JsonMode,
  world: World,
): Promise<{ readonly driven: DriveResult; readonly loop: LoopId }> {
  prepareDemo(folder.project, demo.agent);
  sayStory(humanOutput(world, json), demo.intro, '');
  const services = world.services.at(folder.home);
  const control = await services.control();
  const loop = newLoopId(systemClock().read());
  const spec = demoSpec(process.execPath);
  await control.start({ loop, spec, session: null, cwd: folder.project, machine: thisMachine() });
  const display = openStory(world, json, demo);
  try {
    display.show({
      kind: 'loop-opened',
      loop,
      goal: spec.goal,
      checks: spec.checks.length,
      fresh: true,
      runningMs: 0,
    });
    folder.leaveInterrupts();
    const driven = await services.drive({ loop, show: display.show, wait: false, allowMissingCheck: false });
    return { driven, loop };
  } finally {
    display.close();
  }
}

function sayKept({ project, home }: DemoFolder, loop: LoopId, world: World, json: JsonMode): void {
  const out = humanOutput(world, json);
  sayStory(out, `The project is in ${project}`, 'Its loop is kept beside it, not among yours:');
  say(out, `  TIRELESS_HOME=${home} ${ownName(world.cwd)} explain ${loop}`);
}
