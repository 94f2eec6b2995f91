import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FailureClass } from '../../src/core/event.ts';
import { turnEnded } from '../../src/core/event.ts';
import { createTurnHook } from '../../src/facades/ralph-wiggum/stop-hook.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import { aWiggumVault } from '../support/a-wiggum-vault.ts';
import { HOST_ENVIRONMENT } from '../../src/entries/host-environment.ts';

const vault = aWiggumVault();
const session = { host: 'claude-code', id: 's1' };

function hook() {
  const wait = (): Promise<void> => Promise.resolve();
  return createTurnHook({ home: vault.home(), cwd: vault.project(), approvalWaitMs: 0, wait });
}

const failed = (name: FailureClass) =>
  ({ kind: 'turn-failed', iteration: null, worker: null, failure: { class: name, detail: `it was ${name}` } }) as const;

describe('a turn whose failure the host reports', () => {
  it.each<FailureClass>(['transient', 'unknown', 'rate-limit', 'usage-limit', 'context-full'])(
    'is in the errors of the file, if it is %s',
    async (name) => {
      vault.writeState('RALPH_1');
      await hook()({ session, event: turnEnded(), report: { message: 'one' } });
      await hook()({ session, event: failed(name), report: {} });
      expect(vault.readState('RALPH_1')['errors']).toMatchObject([{ number: 1, iteration: 2, type: 'transient' }]);
    },
  );

  it('is in the review request with what the agent said, as Claude Code reports it', async () => {
    vault.writeState('RALPH_1');
    await hook()({ session, event: turnEnded(), report: { message: 'one' } });
    const decoded = HOSTS['claude-code'].decode(
      {
        hook_event_name: 'StopFailure',
        session_id: 's1',
        cwd: vault.project(),
        error: 'billing_error',
        error_details: 'credit balance too low',
        last_assistant_message: 'I moved invoice 7',
      },
      { ...HOST_ENVIRONMENT, variables: {}, beganMs: () => 0 },
    );
    if (decoded === 'not-ours' || decoded.event.kind !== 'turn-failed') throw new Error('a failed turn');
    await hook()({ session, event: decoded.event, report: decoded.report });
    const [review = ''] = readdirSync(vault.path('Pending_Approval'));
    const text = readFileSync(vault.path('Pending_Approval', review), 'utf8');
    expect(text).toContain('The failed turn (iteration 2)');
    expect(text).toContain('I moved invoice 7');
  });
});
