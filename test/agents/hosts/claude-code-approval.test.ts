/** A request of the Ralph Wiggum document that is answered after the hook has ended, in the real client. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { agentWorld, expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopsIn } from '../support/host-suite.ts';

const VAULT = 'AI_Employee_Vault';
const FILE = `${VAULT}/Ralph_State/RALPH_1.json`;
const STATE = JSON.stringify({
  loop_id: 'RALPH_1',
  prompt: 'paint the shed',
  completion_promise: 'TASK_COMPLETE',
  pause_between_iterations: 0,
});
const SOON = { timeout: 60_000, interval: 500 };

const [client] = hostsToTry(['claude-code']);

describe.skipIf(client?.absent !== null)(`an approval after the hook has ended in ${client?.title}`, () => {
  it('brings the same session back, and the loop completes in it', async () => {
    const world = await agentWorld(
      'claude-code',
      ({ turn }) => {
        const request = path.join(world.project, VAULT, 'Pending_Approval/PAINT_RALPH_1.md');
        if (turn === 1) {
          mkdirSync(path.dirname(request), { recursive: true });
          writeFileSync(request, 'May I open the paint? (RALPH_1)');
          return { text: 'I asked for leave.' };
        }
        return { text: turn === 2 ? 'The paint is open.' : '<promise>TASK_COMPLETE</promise>' };
      },
      { [FILE]: STATE },
    );
    const installed = world.tireless('install', 'claude-code', '--project', '--dialect', 'ralph-wiggum', '--yes');
    expect({ exitCode: installed.exitCode, stderr: installed.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const PATH = [path.dirname(world.place.client), world.environment['PATH']].join(':');
    // A hook that may run for two seconds: it ends before anybody answers.
    const result = await world.run({
      prompt: 'paint the shed',
      environment: { TIRELESS_HOOK_SECONDS: '2', PATH },
    });
    expectSuccess(result);
    expect(loopsIn(world)).toMatchObject([{ status: 'paused', counted: 1 }]);
    const asked = world.model.requests.length;
    const session = world.sessionOf(result);

    mkdirSync(path.join(world.project, VAULT, 'Approved'), { recursive: true });
    const name = 'PAINT_RALPH_1.md';
    renameSync(
      path.join(world.project, VAULT, 'Pending_Approval', name),
      path.join(world.project, VAULT, 'Approved', name),
    );
    await expect.poll(() => loopsIn(world), SOON).toMatchObject([{ status: 'completed', counted: 3 }]);

    const store = openFileStore({ home: world.tirelessHome });
    const [loop] = store.list({ ended: 'both' });
    const events = store.entries(loop?.state.loop ?? '').map(({ event }) => event);
    store.close();
    expect(loop?.state.session).toEqual({ host: 'claude-code', id: session });
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['watcher-began', 'approval-given']));
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'watcher-acted', detail: expect.stringContaining(`--resume ${session}`) }),
    );
    // The same conversation: what was said before is in the first request after it.
    expect(JSON.stringify(world.model.requests[asked])).toContain('I asked for leave.');
  });
});
