/** The end of a transcript, as the real client had written it when it called the hook: what the agent said last is found in it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcriptReader } from '../../src/evidence/transcript-tail.ts';
import { TRANSCRIPT as copilot } from '../../src/hosts/copilot/transcript.ts';
import { TRANSCRIPT as droid } from '../../src/hosts/droid/transcript.ts';
import { TRANSCRIPT as gemini } from '../../src/hosts/gemini/transcript.ts';
import { HOSTS } from '../../src/hosts/hosts.ts';
import { lastMessageIn } from '../../src/hosts/transcript.ts';
import { aProject } from '../support/a-project.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/hosts');

const FORMATS = { copilot, droid, gemini };

function recorded(host: keyof typeof FORMATS): readonly string[] {
  const file = path.join(FIXTURES, host, `${HOSTS[host].capabilities.measured}-transcript-at-stop.jsonl`);
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

function lastOf(host: keyof typeof FORMATS, lines: readonly string[]): string | null {
  const file = path.join(aProject(), 'transcript.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return lastMessageIn(file, FORMATS[host], transcriptReader);
}

const edited = (line: string | undefined, change: (record: Record<string, unknown>) => void): string => {
  const record = JSON.parse(line ?? '') as Record<string, unknown>;
  change(record);
  return JSON.stringify(record);
};

describe('what the agent said last, in the transcript of the real client', () => {
  it.each(['gemini', 'droid', 'copilot'] as const)(
    '%s: is found, and the words of the user and of hooks are not',
    (host) => {
      const lines = recorded(host);
      expect(lastOf(host, lines)).toBe('turn 3 text, not done');
      // Before that the agent used a tool, and said nothing.
      const before = lines.slice(
        0,
        lines.findIndex((line) => line.includes('turn 3 text')),
      );
      expect(lastOf(host, before)).toBeNull();
    },
  );

  it('droid: notes of hooks after the message do not hide it', () => {
    const lines = recorded('droid');
    const note = lines.find((line) => line.includes('"hookEventName":"PreToolUse"')) ?? '';
    expect(lastOf('droid', [...lines, note, note])).toBe('turn 3 text, not done');
  });

  it('copilot: an answer in several messages is one, and neither subagents nor older turns speak', () => {
    const lines = recorded('copilot');
    const said = lines.find((line) => line.includes('"content":"turn 3 text'));
    const more = edited(said, (record) => ((record['data'] as { content: string }).content = 'and more'));
    expect(lastOf('copilot', [...lines, more])).toBe('turn 3 text, not done\nand more');
    const subagent = edited(more, (record) => (record['agentId'] = 'a1'));
    expect(lastOf('copilot', [...lines, subagent])).toBe('turn 3 text, not done');
    const prompt = lines.find((line) => line.includes('"user.message"')) ?? '';
    expect(lastOf('copilot', [...lines, prompt])).toBeNull();
  });

  it('gemini: of a message that was written more than once the last state counts, and older turns do not', () => {
    const lines = recorded('gemini');
    const said = lines.find((line) => line.includes('turn 3 text'));
    const longer = edited(said, (record) => (record['content'] = 'turn 3 text, and more of it'));
    expect(lastOf('gemini', [...lines, longer, '{"$set":{"lastUpdated":"x"}}'])).toBe('turn 3 text, and more of it');
    const next = edited(said, (record) => Object.assign(record, { id: 'another', content: '' }));
    const prompt = lines.find((line) => line.includes('make the tests pass')) ?? '';
    expect(lastOf('gemini', [...lines, prompt, next])).toBeNull();
  });

  it('gemini: a tool result of megabytes is not taken for a prompt', () => {
    const lines = recorded('gemini');
    const result = lines.findLast((line) => line.includes('"type":"user"') && line.includes('functionResponse'));
    const huge = edited(result, (record) => (record['padding'] = 'x'.repeat(300_000)));
    const silent = edited(
      lines.find((line) => line.includes('turn 3 text')),
      (record) => Object.assign(record, { id: 'another', content: '' }),
    );
    expect(lastOf('gemini', [...lines, huge, silent])).toBe('turn 3 text, not done');
  });
});
