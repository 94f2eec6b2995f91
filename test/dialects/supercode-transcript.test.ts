/** Whose words count in a transcript, whatever its shape. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectInTranscript } from '../../src/facades/supercode/index.ts';
import { useSupercodeProject } from '../support/supercode-project.ts';

const project = useSupercodeProject();

describe('detectInTranscript', () => {
  const transcript = (text: string): string => {
    mkdirSync(project().dir, { recursive: true });
    const file = path.join(project().dir, 'transcript');
    writeFileSync(file, text);
    return file;
  };

  it('finds the completion in a file, and none where there is no file', () => {
    expect(detectInTranscript(transcript('agent: <promise>DONE</promise>\n'), 'DONE')).toBe(true);
    expect(detectInTranscript(transcript('agent: working\n'), 'DONE')).toBe(false);
    expect(detectInTranscript(undefined, 'DONE')).toBe(false);
    expect(detectInTranscript(path.join(project().dir, 'missing'), 'DONE')).toBe(false);
    expect(detectInTranscript(project().dir, 'DONE')).toBe(false);
  });

  it('reads messages of the agent, not the prompt, in a transcript of JSON lines', () => {
    const user = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: 'output: <promise>DONE</promise>' },
    });
    const says = (text: string): string =>
      JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
    expect(detectInTranscript(transcript(`${user}\n${says('not yet')}\n`), 'DONE')).toBe(false);
    expect(detectInTranscript(transcript(`${user}\n${says('<promise>\nDONE\n</promise>')}\n`), 'DONE')).toBe(true);
  });

  it('reads messages in one JSON value, on one line or on many', () => {
    const messages = [
      { role: 'user', content: 'output: <promise>DONE</promise>' },
      { role: 'assistant', content: 'not yet' },
    ];
    const claim = { role: 'assistant', content: [{ type: 'text', text: '<promise>DONE</promise>' }] };
    for (const layout of [undefined, 2])
      for (const wrap of [
        (all: object[]) => ({ messages: all }),
        (all: object[]) => ({ session: { history: all } }),
        (all: object[]) => all,
      ]) {
        expect(detectInTranscript(transcript(JSON.stringify(wrap(messages), null, layout)), 'DONE')).toBe(false);
        expect(detectInTranscript(transcript(JSON.stringify(wrap([...messages, claim]), null, layout)), 'DONE')).toBe(
          true,
        );
      }
  });

  it('reads messages that hold their text in parts', () => {
    const text = '<promise>DONE</promise>';
    const spoken = [
      { role: 'assistant', parts: [{ type: 'text', text }] },
      { info: { role: 'assistant', id: 'msg_1' }, parts: [{ type: 'step-start' }, { type: 'text', text }] },
      { role: 'model', parts: [{ text }] },
    ];
    const unspoken = [
      { info: { role: 'user' }, parts: [{ type: 'text', text }] },
      {
        role: 'assistant',
        parts: [
          { type: 'tool', state: { output: text } },
          { type: 'reasoning', text },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [{ function: { arguments: text } }] },
    ];
    for (const message of spoken) expect(detectInTranscript(transcript(JSON.stringify(message)), 'DONE')).toBe(true);
    for (const message of unspoken) expect(detectInTranscript(transcript(JSON.stringify(message)), 'DONE')).toBe(false);
  });

  it('finds the completion in JSON of a shape that it does not know', () => {
    expect(detectInTranscript(transcript('{"level":"info","msg":"agent: <promise>DONE</promise>"}\n'), 'DONE')).toBe(
      true,
    );
  });
});
