/** Lines that real clients wrote, with the ids left out: when the agent was last at work, and why nobody is. */
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import { HOST_ENVIRONMENT } from '../support/host-environment.ts';

const AT = (second: number): string => new Date(Date.UTC(2026, 10, 17, 16, 0, second)).toISOString();
const NOW = Date.parse(AT(59));

const codex = (second: number, payload: string, type = 'event_msg'): string =>
  `{"timestamp":"${AT(second)}","ordinal":1,"type":"${type}","payload":${payload}}`;
const qwen = (second: number, rest: string): string =>
  `{"uuid":"u","parentUuid":null,"sessionId":"s","timestamp":"${AT(second)}",${rest}}`;
const gemini = (second: number, rest: string): string => `{"id":"i","timestamp":"${AT(second)}",${rest}}`;
const copilot = (second: number, type: string, data: string): string =>
  `{"type":"${type}","data":${data},"id":"i","timestamp":"${AT(second)}","parentId":null}`;
const droid = (second: number, message: string): string =>
  `{"type":"message","id":"i","parentId":"p","timestamp":"${AT(second)}","message":${message}}`;
const claude = (second: number, rest: string): string => `{"parentUuid":null,${rest},"timestamp":"${AT(second)}"}`;

type Written = {
  readonly work: string;
  readonly ends: Readonly<Partial<Record<'interrupted' | 'failed', string>>>;
  readonly prompt: readonly string[];
};

/** In each, the agent was at work in second 10, the end came in second 20, and the user wrote again in second 50. */
const WRITTEN: Readonly<Partial<Record<HostId, Written>>> = {
  'claude-code': {
    work: claude(10, '"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"one"}]}'),
    ends: {
      interrupted: claude(
        20,
        '"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}',
      ),
      failed: claude(
        20,
        '"type":"assistant","message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error: 400 boom"}]},"error":"unknown","isApiErrorMessage":true',
      ),
    },
    prompt: [claude(50, '"type":"user","message":{"role":"user","content":"please go on"}')],
  },
  codex: {
    work: codex(
      10,
      '{"type":"message","status":"completed","id":"m","role":"assistant","content":[{"type":"output_text","text":"one"}]}',
      'response_item',
    ),
    ends: {
      interrupted: codex(20, '{"type":"turn_aborted","turn_id":"t","reason":"interrupted","duration_ms":6981}'),
      failed: codex(
        20,
        '{"type":"task_complete","turn_id":"t","last_agent_message":"one","error":{"message":"high demand","codex_error_info":"internal_server_error"},"duration_ms":4701}',
      ),
    },
    prompt: [
      codex(50, '{"type":"task_started","turn_id":"t2","started_at":1794933891}'),
      codex(50, '{"turn_id":"t2","cwd":"/project"}', 'turn_context'),
    ],
  },
  qwen: {
    work: qwen(10, '"type":"assistant","provenance":"assistant_output","message":{"role":"model","parts":[]}'),
    ends: {
      failed: qwen(
        20,
        '"type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_error","error_message":"400 boom","status_code":400}}',
      ),
    },
    prompt: [qwen(50, '"type":"user","provenance":"real_user","message":{"role":"user","parts":[]}')],
  },
  gemini: {
    work: gemini(10, '"type":"gemini","content":"one","thoughts":[]'),
    ends: { failed: gemini(20, '"type":"error","content":"[API Error: boom]"') },
    prompt: [gemini(50, '"type":"user","content":[{"text":"please go on"}]'), `{"$set":{"lastUpdated":"${AT(50)}"}}`],
  },
  copilot: {
    work: copilot(10, 'assistant.message', '{"messageId":"m","content":"one"}'),
    ends: {
      interrupted: copilot(20, 'abort', '{"reason":"user_initiated"}'),
      failed: copilot(20, 'session.error', '{"errorType":"query","message":"500 boom","statusCode":500}'),
    },
    prompt: [copilot(50, 'user.message', '{"content":"please go on"}')],
  },
  droid: {
    work: droid(10, '{"role":"assistant","content":[{"type":"text","text":"one"}],"modelId":"m"}'),
    ends: {
      interrupted: droid(
        20,
        '{"role":"user","content":[{"type":"text","text":"Request interrupted by user"}],"visibility":"llm_only"}',
      ),
    },
    prompt: [
      '{"type":"agent_turn_outcome","turnId":"t","reason":"cancelled","resultKind":"text"}',
      droid(50, '{"role":"user","content":[{"type":"text","text":"please go on"}]}'),
    ],
  },
};

const readerOf = (lines: readonly string[]): typeof HOST_ENVIRONMENT.transcripts => ({
  ...HOST_ENVIRONMENT.transcripts,
  readBackwards: (_file, read) => read(lines.toReversed()),
});

describe.each(Object.keys(WRITTEN) as HostId[])('the transcript of %s', (id) => {
  const { turns, decode } = HOSTS[id];
  const written = WRITTEN[id];
  if (turns === undefined || written === undefined) throw new Error(`${id} shows nothing`);
  const { work, ends, prompt } = written;
  const idleCause = (lines: readonly string[]): string | null => turns.idleCause('any', readerOf(lines), NOW);

  it.each(Object.entries(ends))('shows a turn that was or has %s, until the next one begins', (cause, end) => {
    expect(idleCause([work])).toBeNull();
    expect(idleCause([work, end])).toBe(cause);
    expect(idleCause([work, end, ...prompt])).toBeNull();
  });

  it.each(Object.entries(ends))('shows how long nobody was at work when the user writes (%s)', (_cause, end) => {
    const lines = [work, end, ...prompt];
    expect(turns.lastWorkMs('any', readerOf(lines))).toBe(Date.parse(AT(20)));
    const name = id === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit';
    const payload = { session_id: 's', cwd: '/project', transcript_path: '/t', prompt: 'please go on' };
    const heard = decode(
      { ...payload, hook_event_name: name },
      { ...HOST_ENVIRONMENT, nowMs: () => NOW, transcripts: readerOf(lines) },
    );
    // Copilot names no transcript there: the last event was the last sign.
    expect(heard === 'not-ours' ? undefined : heard.report.idleMs?.()).toBe(id === 'copilot' ? undefined : 39_000);
  });
});

const WORDS: Readonly<Partial<Record<HostId, string>>> = {
  'claude-code': 'unknown: API Error: 400 boom',
  codex: 'internal server error: high demand',
  qwen: '400 boom',
  gemini: '[API Error: boom]',
  copilot: '500 boom',
};

it.each(Object.entries(WORDS))('the next prompt of %s shows that the turn before it failed: %s', (id, words) => {
  const { turns } = HOSTS[id as HostId];
  const { work, ends, prompt } = WRITTEN[id as HostId] ?? { work: '', ends: {}, prompt: [] };
  const lookAt = (lines: readonly string[]): unknown => turns?.failedTurn?.('any', readerOf(lines));
  const failed = ends.failed ?? '';
  expect(lookAt([work])).toBeNull();
  expect(lookAt([work, failed, ...prompt])).toMatchObject({ atMs: Date.parse(AT(20)), failure: { detail: words } });
  expect(lookAt([failed, work, ...prompt])).toBeNull();
  expect(lookAt([failed, ...(ends.interrupted === undefined ? [work] : [ends.interrupted]), ...prompt])).toBeNull();
});

it('a conversation of Claude Code that is full is no error that another try passes', () => {
  const full = claude(
    20,
    '"type":"assistant","message":{"content":[{"type":"text","text":"Prompt is too long"}]},"error":"invalid_request","isApiErrorMessage":true',
  );
  const failed = HOSTS['claude-code'].turns?.failedTurn?.('any', readerOf([full]));
  expect(failed).toMatchObject({ failure: { class: 'context-full' } });
});

it('a request that Qwen Code tries again by itself has not failed yet', () => {
  const error = qwen(
    20,
    '"type":"system","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_error","status_code":503}}',
  );
  const at = (nowMs: number): string | null | undefined => HOSTS.qwen.turns?.idleCause('any', readerOf([error]), nowMs);
  expect(at(NOW)).toBeNull();
  expect(at(NOW + 120_000)).toBe('failed');
});
