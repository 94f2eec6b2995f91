import { describe, expect, it } from 'vitest';
import { aTranscript, HOST_ENVIRONMENT } from '../../test/support/host-environment.ts';
import { HOSTS } from './hosts.ts';
import type { HostId } from './ids.ts';

function decoded(id: HostId, fields: Readonly<Record<string, unknown>>): unknown {
  const payload = { session_id: 's', cwd: '/shop', ...fields };
  const environment = { ...HOST_ENVIRONMENT, bytesOf: () => 1, transcripts: aTranscript([]) };
  const event = HOSTS[id].decode(payload, environment);
  return event === 'not-ours' ? event : event.event;
}

const UNEXPLAINED = { class: 'unknown', unexplained: true, detail: expect.stringMatching(/./u) as string };

/** Documents classify failures by their words: ours are not among them. */
describe('a failed turn without a word of the host about it', () => {
  it.each<[HostId, string]>([
    ['opencode', 'StopFailure'],
    ['pi', 'StopFailure'],
    ['droid', 'Stop'],
  ])('is marked as unexplained, in %s', (id, name) => {
    const event = decoded(id, { hook_event_name: name, transcript_path: '/t.jsonl' });
    expect(event).toMatchObject({ kind: 'turn-failed', failure: UNEXPLAINED });
  });

  it('is classified by the status, if there is one', () => {
    const failure = { ...UNEXPLAINED, class: 'transient' };
    expect(decoded('pi', { hook_event_name: 'StopFailure', status: 503 })).toMatchObject({ failure });
  });

  it('is not marked where the host says why', () => {
    const event = decoded('pi', { hook_event_name: 'StopFailure', error: 'socket hang up' });
    expect(event).toMatchObject({ failure: { class: 'transient', detail: 'socket hang up' } });
    expect(event).not.toHaveProperty('failure.unexplained');
  });
});
