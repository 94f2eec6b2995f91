import path from 'node:path';
import type { Limits } from '../core/loop.ts';
import { continueInSession } from '../engine/continue-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import type { HookWorld } from '../hook/hook-world.ts';
import { systemClock } from '../system/clock.ts';
import { driverOf } from '../system/driver-process.ts';
import { readTextIfExists } from '../system/files.ts';
import { projectDirectory } from '../system/project.ts';
import { modifiedMs, namesIn } from '../system/folder.ts';
import { removeLeftoversOf } from '../system/leftovers.ts';
import { limitForMaximum } from '../views/iteration-count.ts';
import { statusLines } from '../views/status-lines.ts';
import { splitGoal } from './flags.ts';
import { guessChecksIn } from '../setup/guess-checks.ts';
import { liveMsOf } from './live-time.ts';
import { releaseLoop } from './release-loop.ts';
import { seenOf } from './seen-session.ts';
import type { World } from './services.ts';
import { parseStartRequest } from './start-args.ts';
import { optionIn, splitTypedText, unquotedValueIn } from './typed-args.ts';
import { parseTypedResume } from './typed-resume.ts';
import { openLoopsNow } from '../setup/waiting-files.ts';
import { waitingLoops } from './waiting-files.ts';

/** What the command line provides to the hook: its options for commands typed in a session, and the way to arm a loop. */
export function hookWorldOf(world: World): HookWorld {
  const { cwd, env, services } = world;
  return {
    env,
    projectDirectory: (project) => projectDirectory(project, cwd),
    pause: (ms) => systemClock().sleep(ms).done,
    files: {
      pathOf: (project, file) => path.join(project, file),
      list: namesIn,
      modifiedMs,
      read: readTextIfExists,
      removeLeftovers: removeLeftoversOf,
    },
    services,
    policies: {
      armLoop: async (request) => (await import('../setup/arm-session.ts')).armSession(request, world),
      continueLoop: async (loaded, session, how) => {
        const live = await services.liveFile(loaded.spec, loaded.state.cwd);
        const { effects } = await services.session();
        const continued = await runAsync(continueInSession(loaded, session, live, shownLimits(loaded, how)), effects);
        (await import('../setup/arm-session.ts')).restoreOnDemand(continued.loaded, world);
        return continued;
      },
      otherLoopsIn: async ({ session, cwd: project, transcriptPath }) => {
        const { findOthers } = await import('../setup/conflicts.ts');
        return findOthers({ session, cwd: project, transcript: transcriptPath }, world);
      },
      openLoops: (project) => openLoopsNow((directory) => directory === project, services),
      waitingFiles: (session, project) => waitingLoops(session, projectDirectory(project, cwd), world),
      releaseLoop: (loaded) => releaseLoop(loaded, world),
    },
    typedCommands: {
      parseStart: async (text, project, session) => {
        const found = unquotedValueIn(text);
        if (found !== undefined) throw splitGoal(found.flag, found.given, found.rest);
        return parseStartRequest(splitTypedText(text), session, { ...world, cwd: project });
      },
      parseResume: parseTypedResume,
      usersOwn: async (host, command, project) =>
        (await import('../setup/settings/own-commands.ts')).findUserCommand(host, command, project, world),
      guessChecks: guessChecksIn,
      optionIn,
      statusLines: async (loaded, prefix) =>
        statusLines(loaded, driverOf(loaded.state), {
          liveMs: liveMsOf(loaded, await seenOf(loaded, world)),
          ...(prefix === undefined ? {} : { prefix }),
        }),
    },
  };
}

/** A typed maximum counts as the file of the loop does. */
function shownLimits<T extends { readonly limits?: Partial<Limits> }>({ spec }: Loaded, asked: T): T {
  const iterationsMax = asked.limits?.iterationsMax;
  if (iterationsMax === undefined) return asked;
  return { ...asked, limits: { ...asked.limits, iterationsMax: limitForMaximum(iterationsMax, spec.dialect) } };
}
