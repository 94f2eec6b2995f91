/** Journeys through a change of wording: every case in which a text from one build returns to another. */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from '../../src/facades/supercode/index.ts';
import type { Build } from './reworded.ts';
import type { Journey, UpgradeScene } from './upgrade-scene.ts';

const CLAIM = '<promise>DONE</promise>';
const START = ['start', 'Make it work.', '--session', 'session-1', '--max-no-progress', 'unlimited'];

/** Opens a code block that the first fence of the text closes, so that code in it becomes prose. */
const retold = (text: string): string => `You asked:\n\`\`\`\n${text}`;

const IN_SESSION: readonly Journey[] = [
  {
    title: 'an agent repeats the prompt of a session, with a claim in it',
    decided: 'record continue continue continue complete',
    live: async ({ cli, loop, stop }) => {
      await cli(...START);
      await cli('steer', loop(), `Say this:\n${CLAIM}`);
      await stop(retold(await stop('One.')));
      await stop('Three.');
      await stop(`Four.\n${CLAIM}`);
    },
  },
  {
    title: 'an agent repeats the prompt of a session, with a question in it',
    decided: 'record continue continue continue',
    live: async ({ cli, loop, stop }) => {
      await cli(...START);
      await cli('steer', loop(), 'Say this:\n<blocked>a key</blocked>');
      await stop(retold(await stop('One.')));
      await stop('Three.');
    },
  },
  {
    title: 'a host hands the first prompt of a session back as if it was typed',
    decided: 'record continue',
    live: async ({ cli, hook, stop }) => {
      const { prompt } = JSON.parse(await cli(...START, '--json')) as { readonly prompt: string };
      await hook('UserPromptSubmit', { prompt });
      await hook('UserPromptSubmit', { prompt: `${prompt}\n\nUse tabs.` });
      await stop('One.');
    },
  },
  {
    title: 'a host hands a later prompt back, alone and with what the user typed',
    decided: 'continue record continue',
    live: async ({ cli, hook, stop }) => {
      await cli(...START);
      const prompt = await stop('One.');
      await hook('UserPromptSubmit', { prompt });
      await hook('UserPromptSubmit', { prompt: `${prompt}\n\nUse tabs.` });
      await stop('Two.');
      await hook('UserPromptSubmit', { prompt });
    },
  },
  {
    title: 'a session fails, is lost, waits for a person and goes on',
    decided: 'continue continue pause continue record continue pause continue continue cancel',
    live: async ({ cli, hook, stop, loop }) => {
      await cli(...START, '--check-exists', 'done', '--approve-finish');
      await hook('StopFailure', { error: 'server_error', error_details: '529 overloaded' });
      await hook('SessionStart', { source: 'resume' });
      await stop('I wait.\n<blocked>a key</blocked>');
      await hook('UserPromptSubmit', { prompt: 'Here it is.' });
      await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: `tireless approve ${loop()}` } });
      await stop('Two.');
      await cli('pause', loop());
      await cli('resume', loop(), '--max-iterations', '30');
      await stop('Three.');
      await cli('cancel', loop());
    },
  },
];

/** The file of a dialect, its text, how its agent claims, and an edit without a new meaning. */
type DialectRow = readonly [name: string, file: string, text: string, claim: string, change: (text: string) => string];

const DIALECTS: readonly DialectRow[] = [
  [
    'stravinsky',
    '.stravinsky/continuation-loop.md',
    '---\niteration_count: 1\nmax_iterations: 9\ncompletion_promise: all green\nactive: true\n---\nmake it\n',
    'All green',
    (text) => text.replace('max_iterations: 9', 'max_iterations: 8'),
  ],
  [
    'ralph-loop',
    '.claude/ralph-loop.local.md',
    '---\nactive: true\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\n---\n\nmake it\n',
    CLAIM,
    (text) => text.replace('max_iterations: 9', 'max_iterations: 8'),
  ],
  [
    'supercode',
    '.supercoin/ralph-loop-state.json',
    '{"active":true,"iteration":1,"maxIterations":9,"completionPromise":"DONE","startedAt":"2026-11-01T10:00:00.000Z","prompt":"make it","sessionId":"session-1"}',
    CLAIM,
    (text) => text.replace(/"maxIterations":\s*9/u, '"maxIterations": 8'),
  ],
  [
    'loop-mechanics',
    '.loop/state.json',
    '{"spec":"make it","criteria":["it works"],"criteriaStatus":{"it works":true},"steps":["build","test"],"completedSteps":[],"remainingSteps":["build","test"],"iteration":1,"maxIterations":9,"status":"in_progress"}',
    '<loop-complete>',
    (text) => text.replace(/"maxIterations":\s*9/u, '"maxIterations": 8'),
  ],
  [
    'ralph-wiggum',
    'AI_Employee_Vault/Ralph_State/RALPH_1.json',
    '{"loop_id":"RALPH_1","prompt":"make it","max_iterations":8,"completion_promise":"TASK_COMPLETE","current_iteration":0,"status":"running","iterations":[],"errors":[],"pause_between_iterations":0}',
    '<promise>TASK_COMPLETE</promise>',
    (text) => text.replace(/"max_iterations":\s*8/u, '"max_iterations": 7'),
  ],
];

const IN_FILES: readonly Journey[] = DIALECTS.flatMap(([name, file, text, claim, change]) => {
  const words = ['--dialect', name, '--reply', 'json'];
  const begin = async ({ put, stop }: UpgradeScene): Promise<void> => {
    put(file, text);
    await stop('Not yet.', words);
  };
  return [
    {
      title: `an agent repeats what a message of the user brought into a prompt of ${name}`,
      decided: 'continue record continue continue continue complete',
      live: async (scene) => {
        const { cli, loop, stop } = scene;
        await begin(scene);
        await cli('steer', loop(), `Say this:\n${claim}`);
        await stop(retold(await stop('Not now.', words)), words);
        await stop('Still not.', words);
        await stop(`All is well.\n${claim}`, words);
      },
    },
    {
      title: `an agent of ${name} edits its file and repeats its prompt`,
      decided: 'continue continue record continue continue',
      live: async (scene) => {
        const { edit, stop } = scene;
        await begin(scene);
        const prompt = await stop('Not now.', words);
        edit(file, change);
        await stop(retold(prompt), words);
        await stop('Still not.', words);
      },
    },
  ];
});

/** One build must not mistake a request that another build wrote for somebody else's. */
const OWN_REQUEST: Journey = {
  title: 'a loop of ralph-wiggum is resumed elsewhere while its own request still lies in the vault',
  decided: 'continue pause continue continue',
  live: async ({ put, cli, loop, stop }) => {
    const [name, file, text] = DIALECTS[4] ?? ['', '', ''];
    const words = ['--dialect', name, '--reply', 'json', '--approval-wait', '0', '--after-approval', 'none'];
    put(file, text);
    await stop('One.', words);
    await cli('pause', loop());
    await stop('Two.', words);
    await cli('resume', loop());
    await stop('Three.', words);
  },
};

const SUPERCODE_WORDS = ['--dialect', 'supercode', '--reply', 'json', '--check-exists', 'done'];

const TRANSCRIPT: Journey = {
  title: 'what was said before the last reply was judged already',
  decided: 'continue record continue continue',
  live: async ({ put, stop, transcript }) => {
    const [, file, text] = DIALECTS[2] ?? ['', '', ''];
    const write = (line: object): void => appendFileSync(transcript, `${JSON.stringify(line)}\n`);
    const says = (said: string): void =>
      write({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: said }] } });
    const stops = async (said: string): Promise<string> => {
      says(said);
      const prompt = await stop(said, SUPERCODE_WORDS, { transcript_path: transcript });
      write({ type: 'user', isMeta: true, message: { role: 'user', content: `Stop hook feedback:\n${prompt}` } });
      return prompt;
    };
    writeFileSync(transcript, '');
    put(file, text);
    write({ type: 'user', message: { role: 'user', content: 'make it' } });
    await stops(`I think so. ${CLAIM}`);
    put('done', '');
    put(file, text.replace('"iteration":1', '"iteration":2').replace('"maxIterations":9', '"maxIterations":8'));
    await stops('Not yet.');
    await stops('Still not.');
  },
};

const silence = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A host that keeps only the end of its conversation: everything before the prompt was judged. */
const SUPERCODE: Journey = {
  title: 'a host of supercode throws messages away',
  decided: 'record continue record continue record continue record complete',
  live: async ({ next, project, cli, loop }) => {
    let messages: Message[] = [{ role: 'user', content: 'make it' }];
    const open = ({ supercode }: Build): ReturnType<Build['supercode']['createRalphLoopHook']> => {
      supercode.setLog(silence);
      return supercode.createRalphLoopHook({
        workdir: project,
        config: { continuationDelay: 0 },
        getMessages: async () => messages,
        injectPrompt: async (_, prompt) => void messages.push({ role: 'user', content: prompt }),
      });
    };
    const says = async (content: string): Promise<void> => {
      messages.push({ role: 'assistant', content });
      await open(next()).handler({ event: 'session.idle', sessionId: 'session-1' });
      await new Promise((resolve) => void setTimeout(resolve, 20));
    };
    open(next()).startLoop('session-1', 'make it', { completionPromise: 'NEVER' });
    await cli('steer', loop(), 'Mind the tests.');
    await says('One.');
    messages.push({ role: 'assistant', content: 'Half of it.' });
    messages = [{ role: 'assistant', content: '<promise>NEVER</promise>' }, ...messages.slice(-2)];
    await says('Two.');
    await says(`You asked: ${messages.at(-1)?.content ?? ''}`);
    await says('<promise>NEVER</promise>');
  },
};

/** The continue message contains the marker, and the agent copies that message into the tracker. */
const ATHENA: Journey = {
  title: 'an agent of Athena copies the continue message into its tracker',
  decided: 'continue record continue record continue continue',
  live: async ({ next, project, cli, loop }) => {
    const tracker = path.join(project, 'loop-tracker.md');
    const config = { enabled: true, completionMarker: 'ALL_DONE', maxIterations: 9 };
    const manager = (): ReturnType<Build['athena']['createLoopManager']> =>
      next().athena.createLoopManager(tracker, config, { logger: silence });
    manager().settleStop();
    await cli('steer', loop(), 'Mind the tests.');
    const { reason } = manager().settleStop();
    appendFileSync(tracker, `\n${reason}\n`);
    manager().settleStop();
    manager().settleStop();
  },
};

export const JOURNEYS: readonly Journey[] = [...IN_SESSION, ...IN_FILES, OWN_REQUEST, TRANSCRIPT, SUPERCODE, ATHENA];
