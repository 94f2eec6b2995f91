import type { DialectExtras } from '../../engine/dialect-extras.ts';
import type { Effects } from '../../engine/ports.ts';
import { createTurnHook } from './stop-hook.ts';

/** Its approval folders and its history are part of a stop: the same code as for `require('tireless/ralph-wiggum')`. */
export function ralphWiggumExtras(home: string, probe: Effects['probe']): DialectExtras {
  return {
    stop: async ({ project, session, event, report, extras, delayMaxMs }) => {
      const answer = createTurnHook({ home, cwd: project, probe, delayMaxMs, ...extras });
      const { allowExit, reason = '', injectPrompt = '', message = '' } = await answer({ session, event, report });
      const shown = allowExit ? reason : message;
      return { goesOn: !allowExit, text: injectPrompt, reason: shown, ...(shown === '' ? {} : { notice: shown }) };
    },
  };
}
