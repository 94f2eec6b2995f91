import path from 'node:path';
import { describe, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import type { Answer } from '../../src/setup/fake-model/script.ts';
import { agentWorld, expectSuccess, type AgentWorld } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { recordOpencode, recordPi } from './support/recording-plugins.ts';
import { expectPayloads, kebab, type Recorded } from './support/recording.ts';

type PluginSession = {
  readonly record: (world: AgentWorld) => void;
  readonly wanted: readonly string[];
  readonly failed: readonly string[];
};

const SESSIONS: Readonly<Partial<Record<HostId, PluginSession>>> = {
  opencode: {
    record: recordOpencode,
    wanted: [
      'event-session-created',
      'event-session-status-busy',
      'event-session-status-idle',
      'event-session-idle',
      'event-message-updated',
      'event-message-updated-assistant',
      'chat-message',
      'tool-execute-before',
      'tool-execute-after',
      'experimental-text-complete',
    ],
    failed: ['event-session-error'],
  },
  pi: {
    record: recordPi,
    wanted: [
      'event-session-start',
      'session-shutdown',
      'input',
      'before-agent-start',
      'agent-start',
      'turn-end',
      'tool-call',
      'tool-result',
      'agent-before-settle',
      'agent-end',
      'agent-settled',
    ],
    failed: ['agent-before-settle-failed', 'agent-end-failed'],
  },
};

const hosts = hostsToTry().flatMap((one) => {
  const session = SESSIONS[one.host];
  return session === undefined ? [] : [{ ...one, session }];
});

for (const { host, absent, title, session } of hosts) {
  describe.skipIf(absent !== null)(`real ${title}`, () => {
    it('gives a plugin what was recorded', async () => {
      const world = await agentWorld(host, ({ turn }) => plainTurn(world, turn));
      session.record(world);
      const result = await world.run({ prompt: 'make the tests pass' });
      expectSuccess(result);
      expectPayloads(world, session.wanted, { session: world.sessionOf(result), nameOf });
    });

    it('gives a plugin what was recorded when the model fails', async () => {
      const world = await agentWorld(host, () => ({ status: 400, message: 'The request is not valid.' }));
      session.record(world);
      const result = await world.run({ prompt: 'make the tests pass' });
      expectPayloads(world, session.failed, { session: world.sessionOf(result), nameOf });
    });
  });
}

function plainTurn(world: AgentWorld, turn: number): Answer {
  const file = path.join(world.project, 'made.txt');
  if (turn === 1) return { write: { path: file, content: 'made\n' } };
  return { text: turn === 2 ? 'turn 3 text, not done' : 'All of it is done now.' };
}

function nameOf({ event, payload }: Recorded): string {
  const name = kebab(event);
  const inner = JSON.stringify(payload);
  if (name === 'event-session-status') return `${name}-${inner.includes('"idle"') ? 'idle' : 'busy'}`;
  if (name === 'event-message-updated' && inner.includes('"role":"assistant"')) return `${name}-assistant`;
  // Our own extension sends one of that name.
  if (name === 'session-start') return `event-${name}`;
  if (/^agent-(?:before-settle|end)$/u.test(name) && inner.includes('"errorMessage"')) return `${name}-failed`;
  return name;
}
