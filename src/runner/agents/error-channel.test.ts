import { describe, expect, it } from 'vitest';
import { classifyFailure } from '../failure-class.ts';
import { errorChannel } from './error-channel.ts';

const PROMPT = `You are in a loop.

- the check \`unit\` failed:
\`\`\`
Error: usage limit reached, try again in 2 hours
ERROR: 401 Unauthorized
\`\`\`

Go on.
`;

const channel = (stderrTail: string, stdoutTail = '', prompt = PROMPT): ReturnType<typeof errorChannel> =>
  errorChannel({ prompt, stderrTail, stdoutTail });

/** As `codex exec -` prints it (0.166.0). */
const codexStderr = (prompt: string, rest: string): string =>
  `OpenAI Codex v0.166.0\n--------\nworkdir: /home/ada/shop\nsession id: 01a1\n--------\nuser\n${prompt}\n${rest}`;

describe('errorChannel', () => {
  it('keeps what a program says of itself', () => {
    expect(channel('529 overloaded\n', 'said')).toEqual({ stderrTail: '529 overloaded\n', stdoutTail: 'said' });
  });

  it.each([
    ['as it is', PROMPT],
    ['indented', PROMPT.replaceAll(/^/gmu, '    ')],
    ['quoted', PROMPT.trimEnd().replaceAll(/^/gmu, '> ')],
    ['with other line ends', PROMPT.replaceAll('\n', '\r\n')],
    ['twice', PROMPT + PROMPT],
    ['without its empty lines', PROMPT.replaceAll('\n\n', '\n')],
    ['with its beginning cut off', PROMPT.slice(40)],
    ['with its beginning cut off inside of a line', PROMPT.slice(PROMPT.indexOf('limit reached'))],
  ])('drops a prompt that is printed %s', (_, echo) => {
    expect(channel(`${echo}\n503 service unavailable\n`).stderrTail.trim()).toBe('503 service unavailable');
    expect(channel('', `${echo}\nit failed`).stdoutTail.trim()).toBe('it failed');
  });

  it('does not drop an error because the prompt quotes the same words', () => {
    expect(channel('Error: usage limit reached, try again in 2 hours\n').stderrTail).toContain('usage limit');
    expect(channel('it must go', '', 'go').stderrTail).toBe('it must go');
  });

  it('reads the last error of Codex, and not the prompt, its commands or their output', () => {
    const ran = "exec\n/bin/bash -lc 'cat log' in /home/ada/shop\n succeeded in 81ms:\nERROR: usage limit reached\n\n";
    const error = 'ERROR: exceeded retry limit, last status: 500 Internal Server Error\n';
    const { stderrTail } = channel(codexStderr(PROMPT, `${ran}${error}${error}tokens used\n1,120\n`));
    expect(stderrTail).toBe('ERROR: exceeded retry limit, last status: 500 Internal Server Error');
    expect(classifyFailure({ exitCode: 1, signal: null, stderrTail, stdoutTail: '', nowMs: 0 })?.class).toBe(
      'transient',
    );
  });

  it('reads what Codex says when it marks no error', () => {
    expect(channel("error: unexpected argument '--yolo' found").stderrTail).toContain('unexpected argument');
  });
});
