import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transcriptReader } from '../../evidence/transcript-tail.ts';
import { hasQueuedMessage } from './message-queue.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tireless-droid-'));
  mkdirSync(path.join(folder, 'logs'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As Droid 0.215.0 writes it. */
const line = (text: string, context: object = {}, session = 's1'): string =>
  `[2026-11-15T12:00:00.000Z] INFO: ${text} | Context: ${JSON.stringify({ ...context, tags: { clientType: 'cli', sessionId: session } })}`;
const queued = (requestId: string, session = 's1'): string =>
  line('[JsonRpc] User message queued', { sessionId: session, requestId }, session);
const taken = line('[JsonRpc] Processing user message');
const shown = (requestId: string): string =>
  line('[JsonRpcAdapter] Emitting CREATE_MESSAGE notification', {
    messageId: 'm',
    role: 'user',
    sessionId: 's1',
    requestId,
  });
const other = line('[Agent] Streaming result', { count: 100, droidRequestId: 'a' });
const stopped = line('[JsonRpc] Handling interrupt_session');

function waits(...lines: readonly string[]): boolean {
  writeFileSync(path.join(folder, 'logs/droid-log-single.log'), `${lines.join('\n')}\n`);
  return hasQueuedMessage(path.join(folder, 'sessions/-home-ada-shop/s1.jsonl'), 's1', transcriptReader);
}

describe('what is typed into Droid', () => {
  it('waits until it is taken, or shown to an agent that used a tool', () => {
    expect(waits(taken, queued('a'), shown('a'), other)).toBe(false);
    expect(waits(taken, queued('a'), shown('a'), queued('b'), other)).toBe(true);
    expect(waits(taken, queued('a'), shown('a'), queued('b'), other, shown('b'))).toBe(false);
    expect(waits(taken, queued('a'), shown('a'), queued('b'), other, taken, shown('b'))).toBe(false);
  });

  it('waits one after the other', () => {
    expect(waits(queued('a'), queued('b'), taken, shown('a'), other)).toBe(true);
    expect(waits(queued('a'), queued('b'), taken, shown('a'), other, taken)).toBe(false);
  });

  it('waits no more when a hook answered it, or the user stopped the agent', () => {
    expect(waits(taken, queued('a'), other)).toBe(false);
    expect(waits(queued('a'), other, taken, other)).toBe(false);
    expect(waits(queued('a'), other, stopped, other)).toBe(false);
    expect(waits(queued('a'), stopped, taken, queued('b'), shown('b'))).toBe(false);
  });

  it('waits no more when the transcript has it already, before the log does', () => {
    const message = (text: string, more: object = {}): string =>
      JSON.stringify({
        type: 'message',
        id: 'm',
        timestamp: '2026-11-15T12:00:01.000Z',
        message: { role: 'user', content: [{ type: 'text', text }], ...more },
      });
    const transcript = path.join(folder, 'sessions/-home-ada-shop/s1.jsonl');
    mkdirSync(path.dirname(transcript), { recursive: true });
    writeFileSync(transcript, `${message('make it green')}\n`);
    expect(waits(queued('a'), other)).toBe(false);
    expect(waits(queued('a'), queued('b'), other)).toBe(true);
    // What was said before the log ends stands in the log too.
    writeFileSync(transcript, `${message('go').replace(':01.', ':00.')}\n`);
    expect(waits(queued('a'), other)).toBe(true);
    const ours = message('[tireless:2] You have worked on it already.');
    writeFileSync(transcript, `${ours}\n${message('x', { visibility: 'llm_only' })}\n`);
    expect(waits(queued('a'), other)).toBe(true);
  });

  it('is of its own session, and not what somebody quotes', () => {
    expect(waits(queued('a', 's2'))).toBe(false);
    expect(waits(line('[Agent] Continuing', { reason: queued('a') }))).toBe(false);
  });

  it('is nothing without a log', () => {
    expect(hasQueuedMessage(path.join(folder, 'sessions/-home-ada-shop/s1.jsonl'), 's1', transcriptReader)).toBe(false);
    expect(hasQueuedMessage('/nowhere/s1.jsonl', 's1', transcriptReader)).toBe(false);
  });

  it('is looked for at the end of a long log', () => {
    const frames = Array.from({ length: 1000 }, () =>
      line('[metrics_log_cli_tui_input_frame_latency]', { x: 'y'.repeat(600) }),
    );
    expect(waits(taken, queued('a'), ...frames)).toBe(false);
    expect(waits(queued('a'), ...frames)).toBe(true);
    expect(waits(queued('a'), ...frames, ...frames, ...frames, ...frames)).toBe(false);
  });
});
