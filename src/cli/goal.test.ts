import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { goalFrom } from './goal.ts';
import type { Input } from './io.ts';

function piped(...chunks: readonly (string | Uint8Array)[]): Input {
  return {
    isTTY: false,
    chunks: async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    },
  };
}

const terminal: Input = { ...piped('never read'), isTTY: true };
const ask = (words: readonly string[], stdin: Input = terminal, file?: string) => goalFrom({ words, file, stdin });

describe('goalFrom', () => {
  it('joins the words', async () => {
    expect(await ask(['make', 'it', 'work'])).toBe('make it work');
  });

  it('does not touch a pipe when there are words', async () => {
    expect(await ask(['words'], piped('pipe'))).toBe('words');
  });

  it.each([[['-']], [[]]])('reads a pipe for %j, byte for byte', async (words) => {
    const text = '---\niteration: 7\n`$(rm)` "\' -h 👩‍🚀\r\n\n';
    const bytes = Buffer.from(text);
    expect(await ask(words, piped(bytes.subarray(0, 30), bytes.subarray(30)))).toBe(text);
  });

  it('puts what was typed before a list, which alone is enough and leaves a pipe alone', async () => {
    const listed = 'Complete:\n- a';
    const withList = (words: readonly string[]) => goalFrom({ words, file: undefined, stdin: piped('pipe'), listed });
    expect(await withList([])).toBe(listed);
    expect(await withList(['words'])).toBe(`words\n\n${listed}`);
    expect(await withList(['-'])).toBe(`pipe\n\n${listed}`);
  });

  it('reads a file', async () => {
    const project = aProject({ 'GOAL.md': '# goal\n' });
    expect(await ask([], terminal, `${project}/GOAL.md`)).toBe('# goal\n');
  });

  it.each<[string, () => Promise<string>, string]>([
    ['an empty goal', () => ask([]), 'The goal is empty'],
    ['white space', () => ask(['  \n ']), 'The goal is empty'],
    ['an empty pipe', () => ask([], piped('')), 'The goal is empty'],
    ['two goals', () => ask(['words'], terminal, 'GOAL.md'), 'The goal was given twice'],
    ['a file that is not there', () => ask([], terminal, '/no/such/GOAL.md'), 'there is no such file'],
    ['bytes that are no text', () => ask([], piped(Buffer.from([0xff, 0xfe, 0xfd]))), 'not UTF-8'],
    ['more than any agent reads', () => ask([], piped(Buffer.alloc(5 * 1024 * 1024, 'x'))), 'more than'],
  ])('refuses %s', async (_, goal, message) => {
    await expect(goal()).rejects.toThrowError(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) as string }),
    );
  });
});
