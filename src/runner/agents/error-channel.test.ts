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
  errorChannel({ prompt, stderrTail, stdoutTail, command: 'my-agent' });

/** As `codex exec -` prints it (0.166.0). */
const codexStderr = (prompt: string, rest: string): string =>
  `OpenAI Codex v0.166.0\n--------\nworkdir: /home/ada/shop\nsession id: 01a1\n--------\nuser\n${prompt}\n${rest}`;

describe('errorChannel', () => {
  it('keeps what a program says of itself', () => {
    expect(channel('529 overloaded\n', 'said')).toMatchObject({ stderrTail: '529 overloaded\n', stdoutTail: 'said' });
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

describe('an error on stdout', () => {
  const onStdout = (command: string, stdoutTail: string): string =>
    errorChannel({ prompt: PROMPT, stderrTail: '', stdoutTail, command }).stdoutError;

  it.each([
    'API Error: 500 Something broke.',
    "You've hit your 5-hour limit · resets 3:07pm (UTC)",
    'Claude AI usage limit reached|1781100000',
    'Credit balance is too low',
    'Invalid API key · Please run /login',
    'Not logged in · Please run /login',
  ])('is what "claude -p" prints as its result: %s', (said) => {
    for (const command of ['claude -p', 'cd shop && /usr/bin/claude --print', 'C:\\npm\\claude.cmd -p'])
      expect(onStdout(command, `${said}\n`)).toBe(said);
    expect(onStdout('echo starts; claude -p', `starts\n${said}\n`)).toBe(said);
    for (const command of ['my-agent', 'gemini --yolo', './claude-like.sh', 'copilot --allow-all-tools'])
      expect(onStdout(command, `${said}\n`)).toBe('');
  });

  it('is the failed result of a client that prints JSON, whoever calls it', () => {
    const line = '{"type":"result","is_error":true,"result":"Claude AI usage limit reached|1781100000"}';
    expect(onStdout('./agent.sh', `${line}\n`)).toBe('Claude AI usage limit reached|1781100000');
    expect(onStdout('./agent.sh', line.replace('true', 'false'))).toBe('');
  });

  it('is not prose, and not an error that was followed by work', () => {
    expect(onStdout('claude -p', 'I wrote a test for the text: usage limit reached, try again in 2 hours')).toBe('');
    expect(onStdout('claude -p', 'The login page now says: invalid API key, please log in.')).toBe('');
    expect(onStdout('claude -p', 'API Error: 500\nI have handled that text.')).toBe('');
  });
});
