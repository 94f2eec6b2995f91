import path from 'node:path';
import { describe, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import type { Answer } from '../../src/setup/fake-model/script.ts';
import { agentWorld, expectSuccess, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { addNestedHooks } from './support/launch/settings.ts';
import {
  expectTranscript,
  LAST_WORDS,
  kebab,
  expectPayloads,
  plainName,
  recordEvents,
  recorder,
} from './support/recording.ts';

/** What one plain session sends: a tool, a stop, a continuation, a stop again, and a resume. `stop` is the event whose reply goes on. */
type Session = {
  readonly events: readonly string[];
  readonly stop: string;
  readonly wanted: readonly string[];
  readonly failed?: readonly string[];
  /** The prompt has to be typed, or no hook hears of it. */
  readonly typed?: true;
};

const GO_ON = JSON.stringify({ decision: 'block', reason: 'Go on: the tests do not pass yet.' });

/** Copilot knows the events under the names of Claude Code too, and then sends other fields. */
const PASCAL_EVENTS = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

const SESSIONS: Readonly<Partial<Record<HostId, Session>>> = {
  codex: {
    events: [
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreModelRequest',
      'PostModelRequest',
      'PreToolUse',
      'PostToolUse',
      'Stop',
      'PreCompact',
      'PostCompact',
      'SubagentStop',
      'Interrupt',
    ],
    stop: 'Stop',
    wanted: [
      'session-start',
      'session-start-resume',
      'user-prompt-submit',
      'pre-model-request',
      'post-model-request',
      'pre-tool-use',
      'post-tool-use',
      'stop',
      'stop-again',
      'session-end',
    ],
    failed: ['post-model-request-failed'],
  },
  gemini: {
    events: ['SessionStart', 'SessionEnd', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'PreCompress'],
    stop: 'AfterAgent',
    wanted: [
      'session-start',
      'session-start-resume',
      'session-end',
      'before-agent',
      'before-tool',
      'after-tool',
      'after-agent',
      'after-agent-again',
      'pre-compress',
    ],
  },
  qwen: {
    events: [
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Stop',
      'StopFailure',
      'PreCompact',
    ],
    stop: 'Stop',
    wanted: [
      'session-start',
      'session-start-resume',
      'user-prompt-submit',
      'pre-tool-use',
      'post-tool-use',
      'stop',
      'stop-again',
    ],
  },
  copilot: {
    events: [
      'sessionStart',
      'sessionEnd',
      'userPromptSubmitted',
      'preToolUse',
      'postToolUse',
      'agentStop',
      'subagentStop',
      'errorOccurred',
      'preCompact',
    ],
    stop: 'agentStop',
    wanted: [
      'session-start',
      'session-start-resume',
      'session-end',
      'user-prompt-submitted',
      'pre-tool-use',
      'post-tool-use',
      'agent-stop',
      'agent-stop-again',
      ...PASCAL_EVENTS.map((event) => `pascal-${kebab(event)}`),
      'pascal-stop-again',
    ],
    failed: ['error-occurred'],
  },
  droid: {
    events: [
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Stop',
      'SubagentStop',
      'PreCompact',
    ],
    stop: 'Stop',
    typed: true,
    wanted: [
      'session-start',
      'session-start-resume',
      'session-end',
      'user-prompt-submit',
      'pre-tool-use',
      'post-tool-use',
      'stop',
      'stop-again',
    ],
  },
};

const hosts = hostsToTry().flatMap((one) => {
  const session = SESSIONS[one.host];
  return session === undefined ? [] : [{ ...one, session }];
});

for (const { host, absent, title, session } of hosts) {
  describe.skipIf(absent !== null)(`real ${title}`, () => {
    it('sends the payloads that were recorded', async () => {
      const world = await agentWorld(host, ({ turn }) => plainTurn(world, turn));
      recordEvents(world, session.events, { [session.stop]: [GO_ON] });
      if (host === 'copilot') recordPascalEvents(world);
      const typed = session.typed === true ? ({ typed: true } as const) : {};
      const first = await world.run({ prompt: 'make the tests pass', ...typed, args: world.launcher.hookArgs ?? [] });
      expectSuccess(first);
      const id = world.sessionOf(first);
      const second = await world.run({ prompt: 'and now?', resume: id, args: world.launcher.hookArgs ?? [] });
      expectSuccess(second);
      expectPayloads(world, session.wanted, { session: id, nameOf: plainName });
      expectTranscript(world, session.stop, id);
    });

    const { failed } = session;
    if (failed === undefined) return;
    it('sends what was recorded when the model fails', async () => {
      const world = await agentWorld(host, () => ({ status: 400, message: 'The request is not valid.' }));
      recordEvents(world, session.events);
      const result = await world.run({ prompt: 'make the tests pass', args: world.launcher.hookArgs ?? [] });
      expectPayloads(world, failed, { session: world.sessionOf(result), nameOf: plainName });
    });
  });
}

function recordPascalEvents(world: AgentWorld): void {
  const command = recorder(world);
  const entries = PASCAL_EVENTS.map((event) => [event, { command: command(`pascal-${event}`) }]);
  addNestedHooks(path.join(world.home, '.copilot/settings.json'), Object.fromEntries(entries));
}

function plainTurn(world: AgentWorld, turn: number): Answer {
  const file = path.join(world.project, 'made.txt');
  const answers: Answer[] = [
    { write: { path: file, content: 'made\n' } },
    { text: LAST_WORDS },
    { text: 'All of it is done now.' },
  ];
  return answers[turn - 1] ?? { text: 'All of it was done before.' };
}
