import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { messageWaits } from './waiting-message.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'tireless-queue-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (operation: string): string =>
  JSON.stringify({ type: 'queue-operation', operation, content: 'make it green' });
const said = (text: string): string => JSON.stringify({ type: 'assistant', message: { content: text } });

function waits(...lines: readonly string[]): boolean {
  const file = path.join(folder, 'transcript.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return messageWaits(file);
}

it('waits until the host has handed it over', () => {
  expect(waits(said('a'), line('enqueue'), said('b'))).toBe(true);
  expect(waits(said('a'), line('enqueue'), line('dequeue'), said('b'))).toBe(false);
  expect(waits(said('a'), line('enqueue'), line('remove'), said('b'))).toBe(false);
  expect(waits(said('a'), line('enqueue'), line('enqueue'), line('dequeue'))).toBe(true);
  expect(waits(said('a'), line('enqueue'), line('enqueue'), line('popAll'))).toBe(false);
  expect(waits(said('a'), line('dequeue'), line('enqueue'))).toBe(true);
});

it('is not made by talk about it, by a file that is not there, or by one that is none', () => {
  expect(waits(said(`x\n${line('enqueue')}\n`))).toBe(false);
  expect(messageWaits(path.join(folder, 'none'))).toBe(false);
  expect(messageWaits(folder)).toBe(false);
});

it('is looked for at the end only', () => {
  expect(waits(said('a'), line('enqueue'), said('x'.repeat(300 * 1024)))).toBe(false);
});
