import type { HookWorld } from '../hook/hook-world.ts';
import { afterEnd } from './after-end.ts';
import { armLoop } from './arm-loop.ts';
import { moveTo, refuseOther } from './commands/other-session.ts';
import { projectDirectory } from './project.ts';
import type { World } from './services.ts';
import { startRequestFrom } from './start-args.ts';
import { statusLines } from './status-lines.ts';
import { argsOfTyped, optionIn } from './typed-args.ts';

/** What the command line gives to the hook: its options for commands that are typed in a session, and how a loop is armed. */
export function hookWorldOf(world: World): HookWorld {
  const { cwd, env, services } = world;
  return {
    env,
    projectDirectory: (project) => projectDirectory(project, cwd),
    services,
    policies: {
      armLoop: (request) => armLoop(request, world),
      moveLoop: async (loaded, session) => {
        refuseOther(loaded, session, await services.store());
        return moveTo(loaded, session, world);
      },
      releaseLoop: (loaded) => afterEnd(loaded, world),
    },
    typedCommands: {
      parseStart: (text, project) => startRequestFrom(argsOfTyped(text), { ...world, cwd: project }),
      optionIn,
      statusLines,
    },
  };
}
