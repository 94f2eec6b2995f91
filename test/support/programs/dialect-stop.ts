/**
 * One stop of a session whose project has a dialect's file, through that dialect's own programmatic interface, as its users call it. Arguments: home,
 * project, dialect, file, session, which stop (from 1). Prints `ack` when the agent is sent back to work, and otherwise why not.
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import { createLoopManager, handleEvent, loopCallbacks } from '../../../src/facades/athena/index.ts';
import { stopCheck } from '../../../src/facades/loop-mechanics/index.ts';
import { createStopHook } from '../../../src/facades/ralph-wiggum/index.ts';
import { stopHook } from '../../../src/facades/stravinsky/index.ts';
import { createRalphLoopHook } from '../../../src/facades/supercode/index.ts';

const [home = '', project = '', name = '', file = '', session = '', stop = ''] = process.argv.slice(2);
const message = `not yet (${stop})`;

/** Each reports in its own words; `true` = the agent continues. */
const WAYS: Readonly<Record<string, () => Promise<[boolean, unknown]>>> = {
  athena: async () => {
    const config = { enabled: true, completionMarker: 'E2E_COMPLETE', maxIterations: 15 };
    const manager = createLoopManager(path.join(project, file), config, { home });
    const callbacks = { getRules: () => [], enqueuePermission: () => undefined, enqueueQuestion: () => undefined };
    const said = handleEvent({ id: stop, hookName: 'Stop' }, { ...callbacks, ...loopCallbacks(manager) });
    return [said.handled && said.decision?.type === 'json' && said.decision.intent.kind === 'stop_block', said];
  },
  'loop-mechanics': async () => {
    const payload = { session_id: session, cwd: project, last_assistant_message: message };
    const { stdout } = stopCheck(payload, { home, transcriptBytes: Number(stop) });
    return [stdout.startsWith('{"ok":false'), stdout];
  },
  'ralph-wiggum': async () => {
    const said = await createStopHook({ home, cwd: project })({ output: message, session_id: session });
    return [!said.allowExit, said];
  },
  stravinsky: async () => {
    const said = stopHook({ home, cwd: project, session, message, transcriptBytes: Number(stop) });
    return [said.exitCode === 2, said];
  },
  // It replies by injecting a prompt, after the session had time to settle.
  supercode: () =>
    new Promise((resolve) => {
      process.env['TIRELESS_HOME'] = home;
      const said: unknown[] = [];
      const hook = createRalphLoopHook({
        workdir: project,
        config: { continuationDelay: 0 },
        getMessages: async () => Array.from({ length: Number(stop) }, () => ({ role: 'assistant', content: message })),
        injectPrompt: async () => resolve([true, said]),
        showToast: (toast) => void said.push(toast),
      });
      process.once('beforeExit', () => resolve([false, said]));
      void hook.handler({ event: 'session.idle', sessionId: session });
    }),
};

const way = WAYS[name];
if (way === undefined) throw new Error(`there is no dialect ${name}`);
const [continues, said] = await way();
writeSync(1, continues ? 'ack\n' : `${JSON.stringify(said)}\n`);
