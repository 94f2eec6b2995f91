import path from 'node:path';
import type { HookWorld } from '../hook/hook-world.ts';
import { systemClock } from '../system/clock.ts';
import { driverOf } from '../system/driver-process.ts';
import { readTextIfExists } from '../system/files.ts';
import { namesIn } from '../system/folder.ts';
import { removeLeftoversOf } from '../system/leftovers.ts';
import { statusLines } from '../views/status-lines.ts';
import { moveTo, requireMovable } from './commands/other-session.ts';
import { projectDirectory } from './project.ts';
import { releaseLoop } from './release-loop.ts';
import type { World } from './services.ts';
import { startRequestFrom } from './start-args.ts';
import { argsOfTyped, optionIn } from './typed-args.ts';

/** What the command line gives to the hook: its options for commands that are typed in a session, and how a loop is armed. */
export function hookWorldOf(world: World): HookWorld {
  const { cwd, env, services } = world;
  return {
    env,
    projectDirectory: (project) => projectDirectory(project, cwd),
    pause: (ms) => systemClock().sleep(ms).done,
    files: {
      pathOf: (project, file) => path.join(project, file),
      list: namesIn,
      read: readTextIfExists,
      removeLeftovers: removeLeftoversOf,
    },
    services,
    policies: {
      armLoop: async (request) => (await import('../setup/arm-session.ts')).armSession(request, world),
      moveLoop: async (loaded, session) => {
        await requireMovable(loaded, session, world);
        return moveTo(loaded, session, world);
      },
      releaseLoop: (loaded) => releaseLoop(loaded, world),
    },
    typedCommands: {
      parseStart: (text, project) => startRequestFrom(argsOfTyped(text), { ...world, cwd: project }),
      optionIn,
      statusLines: (loaded) => statusLines(loaded, driverOf(loaded.state)),
    },
  };
}
