import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { demoSpec } from '../runner/demo/demo-spec.ts';
import { prepareDemo } from '../runner/demo/prepare-demo.ts';
import { systemClock } from '../system/clock.ts';
import { newLoopId } from '../system/ids.ts';
import { currentPlatform } from '../system/paths.ts';
import { removeTemporaryDirectory, temporaryDirectory } from '../system/project.ts';
import { thisMachine } from '../system/worker-identity.ts';
import { cheatStory } from '../terminal/cheat-story.ts';
import { viewOf } from '../views/loop-view.ts';
import { counted, outcomeSentence } from '../views/sentences.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { say, sayJson } from './io.ts';
import type { JsonMode } from './open-display.ts';
import { humanOutput } from './open-display.ts';
import type { World } from './services.ts';

/** The demo with an agent that cheats. Project and loop are removed at the end: it is a show, and the code base is the one of the other demo. */
export async function demoCheat(json: Exclude<JsonMode, 'stream'>, world: World): Promise<number> {
  if (currentPlatform().os === 'win32')
    throw new Fault('USAGE', 'Cannot show --cheat on Windows: there is no clean room yet. Leave it out.');
  const folder = temporaryDirectory('demo');
  try {
    return await show(folder, json, world);
  } finally {
    removeTemporaryDirectory(folder);
  }
}

async function show(folder: string, json: JsonMode, world: World): Promise<number> {
  const project = path.join(folder, 'corner-shop');
  prepareDemo(project, 'cheating');
  const out = humanOutput(world, json);
  say(
    out,
    'A corner shop with four bugs and six tests, and an agent that would rather',
    'cheat than repair them. Whenever all tests pass in the project, tireless runs',
    'them once more in a clean room: the work of the agent, with the files that',
    'judge it as they were at the start.',
    '',
  );
  const services = world.services.at(path.join(folder, 'home'));
  const control = await services.control();
  const loop = newLoopId(systemClock().read());
  const spec = demoSpec(process.execPath);
  await control.start({ loop, spec, session: null, cwd: project, machine: thisMachine() });
  const story = cheatStory(out);
  const { loaded, ended } = await services.drive({ loop, show: story.show, wait: false, allowMissingCheck: false });
  if (ended !== 'loop-ended') return EXIT.interrupted;
  say(
    out,
    outcomeSentence(loaded),
    `${counted(story.caught(), 'cheat')} caught.`,
    '',
    'Nothing is left of it on this disk. With your own agent, in your own project:',
    '  tireless run "make the tests pass" --agent-command "my-agent" \\',
    '    --check "npm test"',
  );
  if (json !== 'no') sayJson(world.stdout, viewOf(loaded));
  return exitCodeOf(loaded, { requireVerified: true });
}
