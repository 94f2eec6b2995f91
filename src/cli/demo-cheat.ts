import { Fault } from '../core/fault.ts';
import { currentPlatform } from '../system/paths.ts';
import { cheatStory } from '../terminal/cheat-story.ts';
import { counted } from '../views/sentences.ts';
import type { DemoFlags } from './demo-loop.ts';
import { runDemo } from './demo-loop.ts';
import type { World } from './services.ts';

const INTRO =
  'A corner shop with four bugs and six tests, and an agent that would rather cheat than fix them. Whenever all tests pass in the project, tireless runs them once more in a clean room: the work of the agent, with the files that judge it as they were at the start.';

/** The demo with an agent that cheats. */
export function demoCheat(flags: DemoFlags, world: World): Promise<number> {
  if (currentPlatform().os === 'win32')
    throw new Fault('USAGE', 'Cannot show --cheat on Windows: there is no clean room yet. Leave it out.');
  const { narrate, caught } = cheatStory();
  const sum = (): readonly string[] => [`  ${counted(caught(), 'cheat')} caught`];
  return runDemo({ agent: 'cheating', intro: INTRO, narrate, quotes: false, sum }, flags, world);
}
