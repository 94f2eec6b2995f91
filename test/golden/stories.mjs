// @ts-check
/** The lives that are recorded for every shape. `run` and `hook` are the built command line; the files that a story leaves are kept. */

/**
 * @typedef {{
 *   run: (...args: string[]) => Promise<void>,
 *   hook: (event: string, fields?: object, words?: string[], env?: Record<string, string>) => Promise<void>,
 *   loop: () => string,
 *   wait: (ms: number) => Promise<void>,
 *   put: (file: string, text: string) => void,
 *   edit: (file: string, change: (text: string) => string) => void,
 *   killAfter: (file: string, ...args: string[]) => Promise<void>,
 *   move: (from: string, to: string) => void,
 *   until: (kind: string) => Promise<void>,
 * }} Scene
 */
/** @typedef {{ file?: string, live: (scene: Scene) => Promise<void> }} Story */

const GOAL = 'Make it work.';
const DONE = "echo '<promise>DONE</promise>'";
const BLOCKED_FIRST = `test -f key && ${DONE} || { touch key; echo '<blocked>a key</blocked>'; }`;
const usage = (/** @type {string} */ json) => `echo '${json}' > "$TIRELESS_USAGE"; date +%N | tee note`;

/** @param {string} agent @param {string[]} flags @returns {Story} */
const outer = (agent, ...flags) => ({ live: ({ run }) => run('run', GOAL, '--agent-command', agent, ...flags) });

/** @type {Record<string, Story>} */
const OUTER = {
  'completed-verified': outer('touch done', '--check', 'test -f done'),
  'completed-claimed': outer(DONE),
  'completed-with-holdout': outer('touch done', '--check', 'test -f done', '--holdout', 'test -f done'),
  'halted-iterations': outer('date +%N | tee note', '--max-iterations', '2', '--check', 'test -f done'),
  'halted-duration': outer('sleep 1', '--max-duration', '300ms'),
  'halted-cost': outer(usage('{"costUsd":1,"tokens":10}'), '--max-cost', '1.5'),
  'halted-tokens': outer(usage('{"costUsd":1,"tokens":10}'), '--max-tokens', '15'),
  'halted-faults': outer('echo broken >&2; exit 3', '--max-faults', '2'),
  'halted-no-progress': outer('echo the same', '--max-no-progress', '2', '--check', 'false'),
  'cut-iteration': outer('sleep 5', '--iteration-timeout', '200ms', '--max-iterations', '2'),
  'failed-once': outer(`test -f tried && ${DONE} || { touch tried; exit 4; }`),
  'paused-blocked': outer(BLOCKED_FIRST),
  'paused-usage-unknown': outer('echo hm', '--max-cost', '1'),
  'paused-approval': outer(DONE, '--approve-finish'),
  'paused-review': outer(`echo x >> spec.txt; ${DONE}`, '--protect', 'spec.txt'),
  resumed: {
    live: async ({ run, loop }) => {
      await run('run', GOAL, '--agent-command', BLOCKED_FIRST);
      await run('resume', loop());
    },
  },
  'resumed-with-limits': {
    live: async ({ run, loop }) => {
      await run('run', GOAL, '--agent-command', 'date +%N | tee note', '--max-iterations', '1');
      await run('resume', loop(), '--max-iterations', '3');
    },
  },
  cancelled: {
    live: async ({ run, loop }) => {
      await run('run', GOAL, '--agent-command', BLOCKED_FIRST);
      await run('cancel', loop());
    },
  },
  steered: {
    live: async ({ run, loop }) => {
      await run('run', GOAL, '--agent-command', BLOCKED_FIRST);
      await run('steer', loop(), 'Mind the "tests".');
      await run('resume', loop());
    },
  },
  approved: {
    live: async ({ run, loop }) => {
      await run('run', GOAL, '--agent-command', DONE, '--approve-finish');
      await run('approve', loop());
    },
  },
  rejected: {
    live: async ({ run, loop }) => {
      await run('run', GOAL, '--agent-command', DONE, '--approve-finish');
      await run('reject', loop(), 'The heading is missing.');
    },
  },
  'driver-killed': {
    live: async ({ run, loop, killAfter }) => {
      const agent = `test -f began && ${DONE} || { touch began; exec sleep 3; }`;
      await killAfter('began', 'run', GOAL, '--agent-command', agent);
      await run('resume', loop());
    },
  },
  'driver-killed-and-left': {
    live: ({ killAfter }) => killAfter('began', 'run', GOAL, '--agent-command', 'touch began; exec sleep 3'),
  },
  'with-criteria': {
    live: ({ run }) =>
      run('run', GOAL, '--agent-command', `touch a; ${DONE}`, '--criterion', 'it works', '--max-iterations', '1'),
  },
  'with-blobs': {
    live: async ({ run, put }) => {
      put('GOAL.md', `${GOAL}\n${'All of it, and nothing else. '.repeat(2500)}\n`);
      await run('run', '--goal-file', 'GOAL.md', '--agent-command', 'touch done', '--check', 'test -f done');
    },
  },
};

const start = (/** @type {string[]} */ ...flags) => ['start', GOAL, '--session', 'session-1', ...flags];
const said = (/** @type {string} */ message) => ({ last_assistant_message: message });

/** @type {Record<string, Story>} */
const SESSION = {
  'session-armed': { live: ({ run }) => run(...start('--check', 'test -f done')) },
  'session-completed': {
    live: async ({ run, hook, put }) => {
      await run(...start('--check', 'test -f done'));
      await hook('Stop', said('Not yet.'));
      put('done', '');
      await hook('Stop', said('Now.'));
    },
  },
  'session-long': {
    live: async ({ run, hook }) => {
      await run(...start('--max-no-progress', 'unlimited'));
      for (let stop = 1; stop <= 12; stop++) await hook('Stop', said(`Step ${stop} of many is done.`));
    },
  },
  'session-halted': {
    live: async ({ run, hook }) => {
      await run(...start('--max-iterations', '2'));
      for (const word of ['One.', 'Two.']) await hook('Stop', said(word));
    },
  },
  'session-failed': {
    live: async ({ run, hook }) => {
      await run(...start());
      await hook('StopFailure', { error: 'server_error', error_details: '529 overloaded' });
      await hook('SessionStart', { source: 'resume' });
    },
  },
  'session-lost-once': {
    live: async ({ run, hook }) => {
      await run(...start());
      await hook('Stop', said('One.'));
      await hook('SessionStart', { source: 'resume' });
    },
  },
  'session-lost-twice': {
    live: async ({ run, hook }) => {
      await run(...start());
      for (const source of ['startup', 'resume']) await hook('SessionStart', { source });
    },
  },
  // Long enough for a version that writes a snapshot only every ten seconds.
  'session-lost-late': {
    live: async ({ run, hook, wait }) => {
      await run(...start());
      await hook('Stop', said('One.'));
      await hook('SessionStart', { source: 'startup' });
      await wait(10_500);
      await hook('SessionStart', { source: 'resume' });
    },
  },
  'session-paused': {
    live: async ({ run, hook, loop }) => {
      await run(...start());
      await hook('Stop', said('One.'));
      await run('pause', loop());
      await run('resume', loop());
      await hook('Stop', said('Two.'));
    },
  },
  'session-blocked': {
    live: async ({ run, hook }) => {
      await run(...start());
      await hook('Stop', said('I wait.\n<blocked>a key</blocked>'));
      await hook('UserPromptSubmit', { prompt: 'Here it is.' });
      await hook('Stop', said('I wait again.\n<blocked>another key</blocked>'));
    },
  },
  'session-full': {
    live: async ({ run, hook }) => {
      await run(...start());
      await hook('StopFailure', { error: 'invalid_request', error_details: 'prompt is too long' });
    },
  },
  'session-typed': {
    live: async ({ hook }) => {
      const typed = { expansion_type: 'command', command_name: 'ralph' };
      await hook('UserPromptExpansion', { ...typed, command_args: `"${GOAL}" --check "test -f done"` });
      await hook('Stop', said('Not yet.'));
    },
  },
  'session-observed': {
    live: async ({ run, hook }) => {
      await run(...start('--observe', '--check', 'false'));
      await hook('Stop', said('One.'));
    },
  },
  'session-taken-out': {
    live: async ({ run, hook, loop }) => {
      await run(...start());
      await hook('Stop', said('One.'));
      await run('resume', loop(), '--agent-command', DONE);
    },
  },
};

/** Name, file, its text, how to claim, and a possible hand edit. @type {readonly [string, string, string, string, (text: string) => string][]} */
const FILES = [
  [
    'stravinsky',
    '.stravinsky/continuation-loop.md',
    '---\niteration_count: 1\nmax_iterations: 9\ncompletion_promise: all green\nactive: true\n---\nmake it\n',
    'It is All Green now.',
    (text) => `${text}Mind the tests.\n`,
  ],
  [
    'ralph-loop',
    '.claude/ralph-loop.local.md',
    '---\nactive: true\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\n---\n\nmake it\n',
    'All is well.\n<promise>DONE</promise>',
    (text) => text.replace('max_iterations: 9', 'max_iterations: 7'),
  ],
  [
    'supercode',
    '.supercoin/ralph-loop-state.json',
    '{"active":true,"iteration":1,"maxIterations":9,"completionPromise":"DONE","startedAt":"2026-11-01T10:00:00.000Z","prompt":"make it","sessionId":"session-1"}',
    'Now <promise>done</promise>.',
    (text) => text.replace(/"maxIterations":\s*9/u, '"maxIterations": 7'),
  ],
  [
    'athena',
    '.athena/sessions/session-1/loop-tracker.md',
    '---\niteration: 0\nmax_iterations: 9\ncompletion_marker: ALL_DONE\nactive: true\n---\n# Plan\n\n- [ ] make it\n',
    '',
    (text) => `${text}\nALL_DONE\n`,
  ],
  [
    'loop-mechanics',
    '.loop/state.json',
    '{"spec":"make it","criteria":["it works"],"criteriaStatus":{"it works":false},"steps":["build","test"],"completedSteps":[],"remainingSteps":["build","test"],"iteration":1,"maxIterations":9,"status":"in_progress"}',
    'Done. <loop-complete>',
    (text) => text.replace(/"it works":\s*false/u, '"it works": true'),
  ],
  [
    'ralph-wiggum',
    'AI_Employee_Vault/Ralph_State/RALPH_1.json',
    '{"loop_id":"RALPH_1","prompt":"make it","max_iterations":8,"completion_promise":"TASK_COMPLETE","current_iteration":0,"status":"running","iterations":[],"errors":[],"pause_between_iterations":0}',
    '<promise>TASK_COMPLETE</promise>',
    (text) => text.replace(/"prompt":\s*"make it"/u, '"prompt": "make it well"'),
  ],
];

/** @type {Record<string, Story>} */
const DIALECTS = Object.fromEntries(
  FILES.flatMap(([name, file, text, claim, change]) => {
    const words = ['--dialect', name, '--reply', 'json'];
    return [
      [
        `${name}-running`,
        {
          file,
          live: async ({ put, hook }) => {
            put(file, text);
            for (const word of ['Not yet.', 'Still not.']) await hook('Stop', said(word), words);
          },
        },
      ],
      [
        `${name}-edited`,
        {
          file,
          live: async ({ put, edit, hook }) => {
            put(file, text);
            await hook('Stop', said('Not yet.'), words);
            edit(file, change);
            await hook('Stop', said(claim === '' ? 'See the tracker.' : 'Still not.'), words);
            await hook('Stop', said(claim), words);
          },
        },
      ],
    ];
  }),
);

const TEST = 'test "$(cat answer)" = 42\n';
const CHECK = ['--check', 'unit:: sh test.sh'];
/** Follows the chain, and records what the agent would like. */
const FORGER = `
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
const loops = process.env.TIRELESS_HOME + '/loops';
const file = loops + '/' + readdirSync(loops)[0] + '/journal.jsonl';
const lines = readFileSync(file, 'utf8').split('\\n').filter(Boolean);
const last = JSON.parse(lines.at(-1));
const event = { kind: 'turn-ended', iteration: 1, worker: last.event.worker };
const decision = { kind: 'complete', verified: true, level: 'room', proofs: [{ kind: 'check', name: 'unit' }] };
const prev = createHash('sha256').update(lines.at(-1)).digest('hex');
const entry = { ...last, revision: last.revision + 1, prev, event, evidence: { ...last.evidence, checks: [] }, decision };
appendFileSync(file, '\\n' + JSON.stringify(entry) + '\\n');
`;

/** @param {string} agent @param {string[]} flags @returns {(scene: Scene) => Promise<void>} */
const withTest =
  (agent, ...flags) =>
  async ({ put, run }) => {
    put('test.sh', TEST);
    put('answer', '41\n');
    await run('run', GOAL, '--agent-command', agent, ...CHECK, ...flags);
  };

const DOUBTED = withTest('echo true > test.sh; date +%N | tee note', '--max-iterations', '4');

/** @param {Scene} scene */
async function forged({ put, run }) {
  put('forge.mjs', FORGER);
  await run('run', GOAL, '--agent-command', 'cat >/dev/null; node forge.mjs', '--check', 'unit:: false');
}

/** What the clean room found, and what was refused, forged and waited for. @type {Record<string, Story>} */
const JUDGED = {
  'room-verified': { live: withTest('echo 42 > answer') },
  'room-left-out': { live: withTest('echo 42 > answer', '--no-room') },
  'room-doubted': { live: DOUBTED },
  'room-doubted-approved': {
    live: async (scene) => {
      await DOUBTED(scene);
      await scene.run('approve', scene.loop());
    },
  },
  'room-in-session': {
    live: async ({ put, run, hook }) => {
      put('test.sh', TEST);
      put('answer', '41\n');
      await run(...start(...CHECK));
      await hook('Stop', said('Not yet.'));
      put('answer', '42\n');
      await hook('Stop', said('Now.'));
    },
  },
  'session-waiting': {
    live: async ({ put, run, hook }) => {
      await run(...start('--check', 'unit:: sleep 4; test -f done'));
      put('done', '');
      await hook('Stop', said('Now.'), [], { TIRELESS_HOOK_SECONDS: '2' });
    },
  },
  'attempts-refused': {
    live: async ({ run, hook, loop }) => {
      await run(...start('--approve-finish'));
      const command = `tireless approve ${loop()}`;
      await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } });
      await hook('Stop', said('All is well.\n<promise>DONE</promise>'));
      await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } });
    },
  },
  tampered: { live: forged },
  'tampered-resumed': {
    live: async (scene) => {
      await forged(scene);
      scene.put('forge.mjs', '');
      await scene.run('resume', scene.loop(), '--max-iterations', '2');
    },
  },
};

const VAULT = 'AI_Employee_Vault';
const WIGGUM_FILE = `${VAULT}/Ralph_State/RALPH_1.json`;
const WIGGUM = ['--dialect', 'ralph-wiggum', '--approval-wait', '0'];
/** An agent that is started again for its session, and calls its stop hook as the real one does. */
const CLAUDE = `#!/bin/sh
cat >/dev/null
printf '{"session_id":"session-1","cwd":"%s","hook_event_name":"Stop","last_assistant_message":"<promise>OK</promise>"}' "$PWD" |
  "$TIRELESS_NODE" "$TIRELESS_CLI" hook claude-code ${WIGGUM.join(' ')}
`;

/** @param {Scene} scene */
async function watched({ put, hook, until }) {
  put(
    WIGGUM_FILE,
    '{"loop_id":"RALPH_1","prompt":"make it","max_iterations":5,"completion_promise":"OK","pause_between_iterations":0}',
  );
  put('bin/claude', CLAUDE);
  for (const folder of ['Approved', 'Rejected']) put(`${VAULT}/${folder}/.keep`, '');
  put(`${VAULT}/Pending_Approval/PAY_RALPH_1.md`, 'May I pay?');
  await hook('Stop', said('I asked.'), WIGGUM);
  await until('watcher-began');
}

/** @type {Record<string, Story>} */
const WATCHED = {
  'watched-approved': {
    live: async (scene) => {
      await watched(scene);
      scene.move(`${VAULT}/Pending_Approval/PAY_RALPH_1.md`, `${VAULT}/Approved/PAY_RALPH_1.md`);
      await scene.until('complete');
    },
  },
  'watched-refused': {
    file: WIGGUM_FILE,
    live: async (scene) => {
      await watched(scene);
      scene.move(`${VAULT}/Pending_Approval/PAY_RALPH_1.md`, `${VAULT}/Rejected/PAY_RALPH_1.md`);
      await scene.until('watcher-ended');
      await scene.hook('Stop', said('I am still here.'), WIGGUM);
    },
  },
};

/** @type {Record<string, Story>} */
export const STORIES = { ...OUTER, ...SESSION, ...DIALECTS, ...JUDGED, ...WATCHED };
