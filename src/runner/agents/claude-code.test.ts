import { describe, expect, it } from 'vitest';
import { readStream, recordedStream } from '../../../test/support/agent-streams.ts';
import type { SpawnResult } from '../../system/spawn.ts';
import { claudeCode, claudeCodeReader } from './claude-code.ts';

const RESETS_AT_MS = 1_794_928_056_000;
const NOW = RESETS_AT_MS - 2 * 60 * 60 * 1000;
const PROMPT = 'make the tests pass\nusage limit reached, try again in 2 hours\n';

const read = (stdout: string, result: Partial<SpawnResult> = {}): ReturnType<typeof readStream> =>
  readStream(claudeCodeReader(PROMPT), stdout, result, NOW);
const scene = (name: string, result: Partial<SpawnResult> = { exitCode: 1 }): ReturnType<typeof readStream> =>
  read(recordedStream(`claude-code/2.1.325-${name}`), result);
const lines = (...all: readonly object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('the stream of Claude Code', () => {
  it('shows messages and tools as they come, and tells what the turn cost', () => {
    const { activities, end } = scene('work', { exitCode: 0 });
    expect(activities.filter(({ kind }) => kind !== 'alive')).toEqual([
      { kind: 'output', stream: 'message', text: 'I look first.\n' },
      { kind: 'tool-used', tool: 'Bash', detail: 'ls' },
      { kind: 'tool-used', tool: 'Write', detail: '/home/ada/shop/made.txt' },
      { kind: 'output', stream: 'message', text: 'All of it is done.\n<promise>DONE</promise>\n' },
      { kind: 'usage', usage: { costUsd: expect.closeTo(0.0024) as number, tokens: 360 } },
    ]);
    expect(end).toEqual({
      message: 'All of it is done.\n<promise>DONE</promise>',
      toolCalls: 2,
      usage: { costUsd: expect.closeTo(0.0024) as number, tokens: 360 },
    });
  });

  it('tells which tools run, and the tokens so far', () => {
    const { activities } = scene('work', { exitCode: 0 });
    const signs = activities.flatMap((each) => (each.kind === 'alive' ? [each] : []));
    const changes = (values: readonly unknown[]): readonly unknown[] =>
      values.filter((value, index) => value !== values[index - 1]);
    expect(changes(signs.map(({ toolsRunning }) => toolsRunning))).toEqual([0, 1, 0, 1, 0]);
    const tokens = changes(signs.map(({ usage }) => usage?.tokens));
    expect(tokens).toEqual([100, 120, 220, 240, 340, 360]);
  });

  it('takes every line for a sign of life', () => {
    const stream = recordedStream('claude-code/2.1.325-work');
    const { activities } = read(stream);
    expect(activities.length).toBeGreaterThanOrEqual(stream.trimEnd().split('\n').length);
  });

  it.each([
    ['server-error', 'transient', /^HTTP 500: API Error: 500 Something broke/u],
    ['late-server-error', 'transient', /^HTTP 500/u],
    ['rate-limit', 'rate-limit', /^HTTP 429/u],
    ['unauthorized', 'fatal', /^HTTP 401: Invalid API key/u],
    ['too-long', 'unknown', /^HTTP 400: Prompt is too long/u],
  ])('classifies %s from its fields as %s', (name, expected, detail) => {
    const { end } = scene(name);
    expect(end.failure).toMatchObject({
      class: expected,
      exitCode: 1,
      detail: expect.stringMatching(detail) as string,
    });
    expect(end.failure?.resumeAt).toBeUndefined();
  });

  it('waits until the account may be used again', () => {
    expect(scene('usage-limit').end.failure).toMatchObject({ class: 'usage-limit', resumeAt: RESETS_AT_MS });
  });

  it('reads when a limit ends from the text where no field says it', () => {
    const text = "API Error: Request rejected (429) · You've hit your usage limit. Try again in 2 hours.";
    const { end } = read(lines({ type: 'result', is_error: true, api_error_status: 429, result: text }), {
      exitCode: 1,
    });
    expect(end.failure).toMatchObject({ class: 'usage-limit', resumeAt: NOW + 2 * 60 * 60 * 1000 });
  });

  it('keeps what a failed turn used, and what was said before it failed', () => {
    const { end } = scene('late-server-error');
    expect(end.usage).toMatchObject({ tokens: 120 });
    expect(end.message).not.toContain('API Error');
  });

  it('adds up all models, and takes the last result of a turn that waited for work in the background', () => {
    const model = (inputTokens: number): object => ({ inputTokens, outputTokens: 1, cacheReadInputTokens: 10 });
    const { end } = read(
      lines(
        { type: 'result', subtype: 'success', result: 'first', total_cost_usd: 1, modelUsage: { a: model(5) } },
        {
          type: 'result',
          subtype: 'success',
          result: 'last',
          total_cost_usd: 2,
          modelUsage: { a: model(5), b: model(7) },
        },
      ),
    );
    expect(end).toMatchObject({ message: 'last', usage: { costUsd: 2, tokens: 34 } });
  });

  it('asks the checks after a turn that reached a limit of the user', () => {
    const { end } = read(lines({ type: 'result', subtype: 'error_max_turns', is_error: true, total_cost_usd: 1 }), {
      exitCode: 1,
    });
    expect(end.failure).toBeUndefined();
    expect(end.usage).toEqual({ costUsd: 1, tokens: 'unknown' });
  });

  it('ignores lines it does not know, damaged ones, and words of a subagent', () => {
    const text = (said: string, parent: string | null): object => ({
      type: 'assistant',
      parent_tool_use_id: parent,
      message: { content: [{ type: 'text', text: said }, 7, { type: 'new' }] },
    });
    const { activities, end } = read(
      `{"type":"assistant","message":{"conte\n[1]\n"x"\n\n${lines({ type: 'new' }, {}, text('mine', null), text('its', 'toolu_1'), { type: 'result', subtype: 'success' })}`,
    );
    expect(activities).toContainEqual({ kind: 'output', stream: 'message', text: 'mine\n' });
    expect(JSON.stringify(activities)).not.toContain('its');
    expect(end).toEqual({ message: 'mine', toolCalls: 0, usage: { costUsd: 'unknown', tokens: 'unknown' } });
  });

  it.each([
    [
      'an error before the stream',
      { exitCode: 1, stderrTail: 'error: unknown option --x' },
      'fatal',
      /unknown option/u,
    ],
    ['an old client', { exitCode: 0, stderrTail: 'no stream here' }, 'unknown', /without reporting.*no stream/u],
    ['a signal', { exitCode: null, signal: 'SIGKILL' }, 'unknown', /SIGKILL/u],
    ['the prompt on stderr', { exitCode: 1, stderrTail: PROMPT }, 'unknown', /^exit code 1, and no message$/u],
  ])('ends in a truthful failure after %s', (_, result, expected, detail) => {
    const { end } = read('', result);
    expect(end.failure).toMatchObject({ class: expected, detail: expect.stringMatching(detail) as string });
    expect(end.usage).toBeUndefined();
  });

  it('does not take the words of a tool for an error when the stream breaks off', () => {
    const stream = lines({ type: 'user', message: { content: 'usage limit reached, try again in 2 hours' } });
    expect(read(stream, { exitCode: 1 }).end.failure).toMatchObject({ class: 'unknown' });
  });

  it('lets the user add arguments, and replace the permission mode', () => {
    expect(claudeCode.words(['--model', 'opus']).slice(-4)).toEqual([
      '--permission-mode',
      'acceptEdits',
      '--model',
      'opus',
    ]);
    for (const args of [['--permission-mode', 'plan'], ['--permission-mode=plan'], ['--dangerously-skip-permissions']])
      expect(claudeCode.words(args)).not.toContain('acceptEdits');
  });
});
