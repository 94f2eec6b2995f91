import { describe, expect, it } from 'vitest';
import { aTranscript, HOST_ENVIRONMENT } from '../../test/support/host-environment.ts';
import type { ReadAnswerWaits } from './answer-waits.ts';
import { dialogMsIn } from './answer-waits.ts';
import { readAnswerWaits as readClaudeCode } from './claude-code/answer-waits.ts';
import { readAnswerWaits as readCopilot } from './copilot/answer-waits.ts';
import { HOSTS } from './hosts.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();
/** The last line of a transcript is read first. */
const readWaits = (read: ReadAnswerWaits, records: readonly object[]) =>
  read(records.map((record) => JSON.stringify(record)).toReversed(), (line) => line);
const wait = (from: number, until: number) => ({ fromMs: from * 1000, untilMs: until * 1000 });

describe('the time in which an agent waited for answers of its user', () => {
  it('counts dialogs of tools that were requested together once, and only what came after the last event', () => {
    expect(dialogMsIn([wait(10, 20), wait(10, 25), wait(40, 41)], 0)).toBe(16_000);
    expect(dialogMsIn([wait(10, 20)], 15_000)).toBe(5000);
    expect(dialogMsIn([wait(10, 20)], 30_000)).toBe(0);
    expect(dialogMsIn([], 0)).toBe(0);
  });
});

/** As 2.1.325 writes them, shortened. */
const STOPPED = { type: 'system', subtype: 'stop_hook_summary', timestamp: at(1) };
const requested = (id: string, second: number): object => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'x' } }] },
  timestamp: at(second),
});
const ended = (id: string, second: number, source: string, toolUseResult: unknown = { stdout: '' }): object => ({
  type: 'user',
  message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: 'ok' }] },
  timestamp: at(second),
  toolUseResult,
  permissionDecision: { decision: 'accept', source, grantScope: 'once' },
});
const refused = (id: string, second: number): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', content: 'no', is_error: true, tool_use_id: id }] },
  timestamp: at(second),
  toolUseResult: 'User rejected tool use',
  toolDenialKind: 'user-rejected',
});
const spoken = (about: object): object => ({
  type: 'user',
  message: { content: JSON.stringify(about) },
  timestamp: at(3),
});

describe('the transcript of Claude Code', () => {
  const waits = (...lines: readonly object[]) => readWaits(readClaudeCode, lines);

  it('shows a dialog by the result of its tool, whether it was allowed or refused', () => {
    expect(waits(STOPPED, requested('a', 10), ended('a', 35, 'user_temporary'))).toEqual([wait(10, 35)]);
    expect(waits(requested('a', 10), refused('a', 35))).toEqual([wait(10, 35)]);
  });

  it('leaves out the tool’s own time, if its result reports it', () => {
    const agent = ended('a', 100, 'user_permanent', { totalDurationMs: 60_000 });
    expect(waits(requested('a', 10), agent)).toEqual([wait(10, 40)]);
  });

  it('shows none where nobody was asked, in an earlier turn, or in a text about one', () => {
    expect(waits(requested('a', 10), ended('a', 35, 'config'))).toEqual([]);
    expect(waits(requested('a', 10), ended('a', 35, 'user_temporary'), STOPPED)).toEqual([]);
    expect(waits(requested('a', 10), spoken(ended('a', 35, 'user_temporary')))).toEqual([]);
    expect(waits(ended('a', 35, 'user_temporary'))).toEqual([]);
  });

  it.each(['Stop', 'StopFailure', 'UserPromptSubmit', 'SessionEnd'])('is read at %s', (name) => {
    const lines = [requested('a', 10), ended('a', 35, 'user_temporary')];
    const payload = { hook_event_name: name, session_id: 's', cwd: '/shop', transcript_path: '/t', prompt: 'x' };
    const event = HOSTS['claude-code'].decode(payload, { ...HOST_ENVIRONMENT, transcripts: aTranscript(lines) });
    expect(event === 'not-ours' ? undefined : event.report.dialogMs?.(0)).toBe(25_000);
  });

  it('is not read a second time at a stop when nobody answered a dialog since the stop before', () => {
    let reads = 0;
    const lines = [requested('a', 10), ended('a', 35, 'user_temporary'), STOPPED, requested('b', 40)];
    const transcripts = aTranscript(lines, () => (reads += 1));
    const payload = { hook_event_name: 'Stop', session_id: 's', cwd: '/shop', transcript_path: '/t' };
    const event = HOSTS['claude-code'].decode(payload, { ...HOST_ENVIRONMENT, transcripts });
    const before = reads;
    expect(event === 'not-ours' ? undefined : event.report.dialogMs?.(0)).toBe(0);
    expect(reads).toBe(before);
  });
});

describe('the transcript of Copilot CLI', () => {
  const line = (type: string, requestId: string, second: number): object => ({
    type,
    data: { requestId },
    id: 'x',
    timestamp: at(second),
  });
  const asked = (id: string, second: number): object => line('permission.requested', id, second);
  const answered = (id: string, second: number): object => line('permission.completed', id, second);

  it('shows when the user was asked, and when the answer came', () => {
    const lines = [asked('a', 10), asked('b', 11), answered('a', 20), answered('b', 30)];
    expect(readWaits(readCopilot, lines)).toEqual([wait(11, 30), wait(10, 20)]);
  });

  it('shows none of an earlier turn, and none that is still open', () => {
    const user = line('user.message', '', 40);
    expect(readWaits(readCopilot, [asked('a', 10), answered('a', 20), user, asked('b', 50)])).toEqual([]);
  });
});
