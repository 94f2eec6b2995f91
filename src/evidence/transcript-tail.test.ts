import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReadLimits } from '../engine/ports.ts';
import { TRANSCRIPT } from '../hosts/claude-code/transcript.ts';
import * as transcript from '../hosts/transcript.ts';
import { transcriptBytes } from './transcript-bytes.ts';
import { transcriptReader } from './transcript-tail.ts';

const lastMessageIn = (file: string, limits: ReadLimits = {}): string | null =>
  transcript.lastMessageIn(file, TRANSCRIPT, transcriptReader, limits);
const isAnswered = (file: string): boolean => transcript.isAnswered(file, TRANSCRIPT, transcriptReader);

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-tail-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Line = Record<string, unknown>;

const said = (text: string, id = 'm1', more: Line = {}): Line => ({
  type: 'assistant',
  message: { id, role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
});
const called = (id = 'm1'): Line => ({
  type: 'assistant',
  message: { id, role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
});
const result = (text = 'ok'): Line => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: text }] },
});
const asked = (text = 'go on'): Line => ({ type: 'user', message: { role: 'user', content: text } });
const system: Line = { type: 'system', subtype: 'stop_hook_summary', content: 'the "assistant" stopped' };

function write(...lines: readonly (Line | string | Buffer)[]): string {
  const file = path.join(folder, 'transcript.jsonl');
  const bytes = lines.map((line) =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`),
  );
  writeFileSync(file, Buffer.concat(bytes));
  return file;
}

describe('endIncludes', () => {
  const { endIncludes } = transcriptReader;

  it('finds a text in the end of a file, and none that stands before it', () => {
    const file = write('a sign far away\n', `${'x'.repeat(100)}\n`, 'a sign at the end, with é\n');
    expect(endIncludes(file, 'sign at the end', 40)).toBe(true);
    expect(endIncludes(file, 'sign far away', 40)).toBe(false);
    expect(endIncludes(file, 'sign far away', 4096)).toBe(true);
  });

  it('finds nothing in a file that is empty, or not there', () => {
    expect(endIncludes(write(''), 'sign', 40)).toBe(false);
    expect(endIncludes(path.join(folder, 'none.jsonl'), 'sign', 40)).toBe(false);
  });
});

describe('lastMessageIn', () => {
  it('finds the last message, whatever the host wrote after it', () => {
    expect(lastMessageIn(write(asked(), said('first', 'm0'), result(), said('last'), system, system))).toBe('last');
  });

  it('joins the blocks of one message and stops at another', () => {
    expect(lastMessageIn(write(asked(), said('old', 'm0'), said('one'), called(), said('two')))).toBe('one\ntwo');
  });

  it('takes the words before a tool call when none came after it', () => {
    expect(lastMessageIn(write(asked(), said('I run it.'), called(), result(), called('m2'), result()))).toBe(
      'I run it.',
    );
  });

  it('never answers with the words of an older turn', () => {
    expect(lastMessageIn(write(said('DONE', 'm0'), asked(), called(), result()))).toBeNull();
    expect(lastMessageIn(write(said('DONE', 'm0'), asked()))).toBeNull();
  });

  it('skips sidechains and what the host says to the agent by itself', () => {
    const sidechain = said('subagent: DONE', 'm9', { isSidechain: true });
    expect(lastMessageIn(write(asked(), said('mine'), { ...asked('hook feedback'), isMeta: true }, sidechain))).toBe(
      'mine',
    );
  });

  it('skips a half-written last line, also inside a character', () => {
    const torn = Buffer.from(JSON.stringify(said('torn 🎉'))).subarray(0, -12);
    expect(lastMessageIn(write(asked(), said('whole'), torn))).toBe('whole');
    expect(lastMessageIn(write(asked(), said('whole'), '{"type":"assis'))).toBe('whole');
  });

  it('reads a last line that has no newline yet but is whole', () => {
    expect(lastMessageIn(write(asked(), JSON.stringify(said('no newline'))))).toBe('no newline');
  });

  it('finds the message behind megabytes of tool output, and drops a line that is too long', () => {
    const big = 'x'.repeat(3_000_000);
    expect(lastMessageIn(write(asked(), said('before'), result(big)))).toBe('before');
    expect(lastMessageIn(write(asked(), said('before'), said(big, 'm2')), { lineBytesMax: 1_000_000 })).toBe('before');
    expect(lastMessageIn(write(asked(), said(big)))).toBe(big);
  });

  it('reads all pieces of one size into one buffer', () => {
    const file = write(said('first'), ...Array.from({ length: 50 }, () => system));
    const made = vi.spyOn(Buffer, 'allocUnsafeSlow');
    try {
      expect(lastMessageIn(file, { chunkBytes: 64 })).toBe('first');
      expect(made.mock.calls).toEqual([[0], [64]]);
    } finally {
      made.mockRestore();
    }
  });

  it('answers nothing for a file that is missing, empty, no file or no transcript', () => {
    expect(lastMessageIn(path.join(folder, 'none'))).toBeNull();
    expect(lastMessageIn(folder)).toBeNull();
    for (const text of ['', '\n\n', 'plain words', '"user"', '[]\n{"type":"user"', 'null "assistant"'])
      expect(lastMessageIn(write(text))).toBeNull();
  });

  it('knows whether the last prompt was answered, also with nothing but a tool; what it cannot know was', () => {
    expect(isAnswered(write(asked(), said('older'), asked(), system))).toBe(false);
    expect(isAnswered(write(asked(), called(), result()))).toBe(false);
    expect(isAnswered(write(asked(), called(), result(), said(''), system))).toBe(true);
    expect(isAnswered(write(asked(), said('yes'), { ...asked('hook feedback'), isMeta: true }))).toBe(true);
    expect(isAnswered(write(''))).toBe(true);
    expect(isAnswered(path.join(folder, 'none'))).toBe(true);
  });

  it('knows the size of a transcript, and that there is none', () => {
    expect(transcriptBytes(write('12345'))).toBe(5);
    expect(transcriptBytes(path.join(folder, 'none'))).toBeNull();
  });

  it('waits for what a host writes while its hook runs already, and not for ever', async () => {
    const file = write(asked(), said('older', 'm0'));
    const late = `${JSON.stringify(said('late', 'm2'))}\n${JSON.stringify({ type: 'stop', at: 'now' })}\n`;
    const script = 'require("node:fs").appendFileSync(process.argv[1], process.argv[2])';
    const writer = spawn(process.execPath, ['-e', script, file, late], { stdio: 'ignore' });
    const ended = once(writer, 'exit');
    transcriptReader.awaitText(file, '"at":"now"', 30_000);
    expect(lastMessageIn(file)).toBe('late');
    transcriptReader.awaitText(file, 'never', 20);
    expect(lastMessageIn(file)).toBe('late');
    await ended;
  });

  it('agrees with a reader from the beginning, for every chunk size and every cut', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a\nb', '"assistant"', '🎉'.repeat(9), '\u2028'),
    );
    const line = fc.oneof(
      fc.tuple(text, fc.constantFrom('m1', 'm2')).map(([words, id]) => said(words, id)),
      fc.constantFrom('m1', 'm2').map(called),
      text.map(result),
      text.map(asked),
      text.map((words) => said(words, 'm1', { isSidechain: true })),
      fc.constant(system),
      fc.constantFrom('{"type":"assistant', 'noise\n', '\n', '{"type":"user"}\n'),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 40 }),
        (lines, chunkBytes, cut) => {
          const whole = Buffer.concat(
            lines.map((each) => Buffer.from(typeof each === 'string' ? each : `${JSON.stringify(each)}\n`)),
          );
          const bytes = whole.subarray(0, Math.max(0, whole.length - cut));
          expect(lastMessageIn(write(bytes), { chunkBytes })).toBe(fromTheBeginning(bytes.toString('utf8')));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** The same rule, read forwards: each prompt begins a turn, and each new id or tool result after words begins a message. */
function fromTheBeginning(text: string): string | null {
  type Message = { id: string | null; parts: string[]; closed: boolean };
  let last = null as Message | null;
  for (const line of text.split('\n')) {
    let record: Record<string, unknown>;
    try {
      record = JSON.parse(line) as Record<string, unknown>;
    } catch {
      continue;
    }
    if (typeof record !== 'object' || record === null || record['isSidechain'] === true) continue;
    const message = record['message'] as { id?: string; content?: unknown } | undefined;
    const blocks = Array.isArray(message?.content) ? (message.content as Record<string, unknown>[]) : [];
    if (record['type'] === 'user') {
      if (blocks.some((block) => block['type'] === 'tool_result'))
        last = last === null ? null : { ...last, closed: true };
      else last = null;
    }
    if (record['type'] !== 'assistant') continue;
    const words = blocks.map((block) => block['text']).filter((each) => typeof each === 'string' && each !== '');
    const id = message?.id ?? null;
    if (last !== null && last.id !== id) last = { ...last, closed: true };
    if (words.length === 0) continue;
    if (last === null || last.closed) last = { id, parts: [], closed: false };
    last.parts.push(words.join('\n'));
  }
  return last === null ? null : last.parts.join('\n');
}
