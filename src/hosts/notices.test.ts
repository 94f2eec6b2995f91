import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aTranscript, HOST_ENVIRONMENT } from '../../test/support/host-environment.ts';
import { HOSTS } from './hosts.ts';
import type { HostId } from './ids.ts';
import { decodeNotice, withAnswers } from './notices.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../test/fixtures/hosts');
const at = (second: number): string => new Date(second * 1000).toISOString();
const OF_SESSION = { session_id: 's', cwd: '/project', transcript_path: '/t' };

/** As the real clients send them: recorded, or shortened. */
const DIALOGS = [
  ['codex', recorded('codex', 'permission-request')],
  ['gemini', { hook_event_name: 'Notification', notification_type: 'ToolPermission', message: 'Tool requires' }],
  ['qwen', { hook_event_name: 'Notification', notification_type: 'permission_prompt', message: 'Qwen Code needs' }],
  ['droid', { hook_event_name: 'Notification', notification_type: 'permission_prompt', message: 'Factory CLI needs' }],
] as const;

function recorded(host: HostId, name: string): object {
  const file = path.join(FIXTURES, host, `${HOSTS[host].capabilities.measured}-${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}
const IDLE = { hook_event_name: 'Notification', notification_type: 'idle_prompt', ...OF_SESSION };

/** What the agent requests, how the request ended, and an error of the service, as each host writes them. */
const CALLED: Readonly<Record<(typeof DIALOGS)[number][0], (second: number) => object>> = {
  codex: (second) => ({ timestamp: at(second), payload: { type: 'function_call_output', output: 'x' } }),
  gemini: (second) => ({ timestamp: at(second), type: 'user', content: [{ functionResponse: { name: 'x' } }] }),
  qwen: (second) => ({ timestamp: at(second), type: 'tool_result' }),
  droid: (second) => ({ timestamp: at(second), type: 'message', message: { content: [{ type: 'tool_result' }] } }),
};

describe.each(DIALOGS)('a permission dialog of %s', (id, payload) => {
  it('is reported by its hook', () => {
    const decoded = decodeNotice(HOSTS[id], { ...payload, ...OF_SESSION }, HOST_ENVIRONMENT);
    expect(decoded).toMatchObject({
      session: { host: id, id: 's' },
      cwd: '/project',
      event: { kind: 'permission-asked' },
    });
  });

  it('was answered before the first work that its transcript shows after it', () => {
    const decoded = decodeNotice(HOSTS[id], { ...payload, ...OF_SESSION }, HOST_ENVIRONMENT);
    if (decoded === 'not-ours') throw new Error('unreachable');
    const transcripts = aTranscript([10, 40, 50].map((second) => CALLED[id](second)));
    const { answeredMs } = withAnswers(decoded, HOSTS[id], transcripts).report;
    expect([5, 20, 45, 60].map((second) => answeredMs?.(second * 1000))).toEqual([10_000, 40_000, 50_000, undefined]);
  });
});

describe('a notice', () => {
  it('of anything else, without a session, or of a host that reports none is not ours', () => {
    const others = [{ ...IDLE, notification_type: 'auth_success' }, { ...IDLE, session_id: undefined }, null, 'x'];
    for (const payload of others) expect(decodeNotice(HOSTS.qwen, payload, HOST_ENVIRONMENT)).toBe('not-ours');
    expect(decodeNotice(HOSTS.copilot, IDLE, HOST_ENVIRONMENT)).toBe('not-ours');
  });

  it('of Qwen Code that it waits for a message says since when the agent does not work', () => {
    const nowMs = HOST_ENVIRONMENT.nowMs();
    const transcripts = aTranscript([{ timestamp: new Date(nowMs - 7000).toISOString(), type: 'assistant' }]);
    const decoded = decodeNotice(HOSTS.qwen, IDLE, { ...HOST_ENVIRONMENT, transcripts });
    if (decoded === 'not-ours') throw new Error('unreachable');
    expect(decoded.event).toEqual({ kind: 'agent-rested' });
    expect(decoded.report.idleMs?.()).toBe(7000);
  });

  it('of Qwen Code after a failed turn is left to the next prompt, which records why it failed', () => {
    const failed = {
      timestamp: at(1),
      type: 'system',
      uiEvent: { 'event.name': 'qwen-code.api_error', status_code: 500 },
    };
    const decode = (records: readonly object[]) =>
      decodeNotice(HOSTS.qwen, IDLE, { ...HOST_ENVIRONMENT, transcripts: aTranscript(records) });
    expect(decode([failed])).toBe('not-ours');
    expect(decode([failed, { timestamp: at(2), type: 'user' }])).toMatchObject({ event: { kind: 'agent-rested' } });
  });
});
