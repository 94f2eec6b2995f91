import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transcriptReader } from '../../evidence/transcript-tail.ts';
import type { TurnSigns } from './turn-signs.ts';
import { readTurnSigns } from './turn-signs.ts';

const turnSigns = (transcript: string): TurnSigns => readTurnSigns(transcript, transcriptReader);

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'tireless-queue-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (operation: string): string =>
  JSON.stringify({ type: 'queue-operation', operation, content: 'make it green' });
const said = (text: string): string => JSON.stringify({ type: 'assistant', message: { content: text } });

const toolUse = (input: unknown): string =>
  JSON.stringify({
    message: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input }] },
    type: 'assistant',
  });
const ANSWERED = JSON.stringify({ isSidechain: false, type: 'system', subtype: 'stop_hook_summary', hookCount: 1 });

function signs(...lines: readonly string[]): TurnSigns {
  const file = path.join(folder, 'transcript.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return turnSigns(file);
}

const waits = (...lines: readonly string[]): boolean => signs(...lines).messageWaits;
const used = (...lines: readonly string[]): boolean => signs(...lines).toolUsed();

describe('a message of the user', () => {
  it('waits until the host has handed it over', () => {
    expect(waits(said('a'), line('enqueue'), said('b'))).toBe(true);
    expect(waits(said('a'), line('enqueue'), line('dequeue'), said('b'))).toBe(false);
    expect(waits(said('a'), line('enqueue'), line('remove'), said('b'))).toBe(false);
    expect(waits(said('a'), line('enqueue'), line('enqueue'), line('dequeue'))).toBe(true);
    expect(waits(said('a'), line('enqueue'), line('enqueue'), line('popAll'))).toBe(false);
    expect(waits(said('a'), line('dequeue'), line('enqueue'))).toBe(true);
  });

  it('is not made by talk about it, by a missing file, or by something that is not a transcript', () => {
    expect(waits(said(`x\n${line('enqueue')}\n`))).toBe(false);
    expect(turnSigns(path.join(folder, 'none')).messageWaits).toBe(false);
    expect(turnSigns(folder).messageWaits).toBe(false);
  });

  it('is found however much the turn wrote, and also when it was typed while the hooks of the last stop ran', () => {
    const much = said('x'.repeat(300 * 1024));
    expect(waits(said('a'), ANSWERED, said('b'), ANSWERED, line('enqueue'), much, much)).toBe(true);
    expect(waits(said('a'), ANSWERED, said('b'), line('enqueue'), ANSWERED, much, much)).toBe(true);
  });

  it('is not looked for before the stop before the last one', () => {
    const past = [line('enqueue'), ...Array.from({ length: 40 }, () => said('x'.repeat(1024)))];
    expect(waits(...past)).toBe(true);
    expect(waits(...past, ANSWERED, said('b'))).toBe(true);
    expect(waits(...past, ANSWERED, said('b'), ANSWERED, said('c'))).toBe(false);
  });
});

describe('a tool', () => {
  it('was used when the agent called one since the last stop', () => {
    expect(used(toolUse({ command: 'ls' }), said('a'))).toBe(true);
    expect(used(toolUse({ command: 'ls' }), said('a'), ANSWERED, said('b'))).toBe(false);
    expect(used(said('a'), ANSWERED, toolUse({ command: 'ls' }), said('b'))).toBe(true);
    expect(used(said('a'))).toBe(false);
  });

  it('is not made by talk about it, nor taken back by it, and not by a file that is not there', () => {
    expect(used(said('a'), ANSWERED, said(toolUse({ command: 'ls' })))).toBe(false);
    expect(used(said('a'), toolUse({ command: `echo '${ANSWERED}'` }), said(ANSWERED))).toBe(true);
    expect(turnSigns(path.join(folder, 'none')).toolUsed()).toBe(false);
    expect(turnSigns(folder).toolUsed()).toBe(false);
  });

  it('was used when a long turn shows it', () => {
    expect(used(ANSWERED, toolUse({ command: 'ls' }), said('x'.repeat(1100 * 1024)))).toBe(true);
    expect(used(ANSWERED, said('x'.repeat(17 * 1024 * 1024)))).toBe(false);
    expect(used(ANSWERED, said('x'.repeat(300 * 1024)))).toBe(false);
  });
});
