import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

  it.each([
    ['what the agent said in it, when the host reports only the error', 'I moved invoice 8', true],
    ['nothing of the turn before as its own', 'one', false],
  ])('shows in the review request %s', async (_, last, isShown) => {
    vault.writeState('RALPH_1');
    await hook()({ session, event: turnEnded(), report: { message: 'one' } });
    const said = (text: string, more: object = {}): string =>
      JSON.stringify({ type: 'assistant', ...more, message: { role: 'assistant', content: [{ type: 'text', text }] } });
    const error = said('API Error: 401 invalid key', { isApiErrorMessage: true, error: 'authentication_failed' });
    writeFileSync(vault.path('transcript.jsonl'), `${said(last)}\n${error}\n`);
    const decoded = HOSTS['claude-code'].decode(
      {
        hook_event_name: 'StopFailure',
        session_id: 's1',
        cwd: vault.project(),
        transcript_path: vault.path('transcript.jsonl'),
        error: 'authentication_failed',
        last_assistant_message: 'API Error: 401 invalid key',
      },
      { ...HOST_ENVIRONMENT, variables: {}, beganMs: () => 0 },
    );
    if (decoded === 'not-ours' || decoded.event.kind !== 'turn-failed') throw new Error('a failed turn');
    await hook()({ session, event: decoded.event, report: decoded.report });
    const [review = ''] = readdirSync(vault.path('Pending_Approval'));
    const text = readFileSync(vault.path('Pending_Approval', review), 'utf8');
    expect(text.includes('The failed turn (iteration 2)')).toBe(isShown);
    expect(text.includes('I moved invoice 8')).toBe(isShown);
    expect(text).toContain('The end of the turn before (iteration 1)');
  });
});
