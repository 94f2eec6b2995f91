import { describe, expect, it } from 'vitest';
import { readStream, recordedStream } from '../../../test/support/agent-streams.ts';
import type { SpawnResult } from '../../system/spawn.ts';
import { codex, codexReader } from './codex.ts';

const NOW = Date.UTC(2026, 10, 17, 12, 0, 0);
const PROMPT = 'make the tests pass\nusage limit reached, try again in 2 hours\n';

const read = (stdout: string, result: Partial<SpawnResult> = {}): ReturnType<typeof readStream> =>
  readStream(codexReader(PROMPT), stdout, result, NOW);
const scene = (name: string, result: Partial<SpawnResult> = { exitCode: 1 }): ReturnType<typeof readStream> =>
  read(recordedStream(`codex/0.166.0-${name}`), result);
const lines = (...all: readonly object[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('the stream of Codex', () => {
  it('shows messages and tools as they come, each tool once, and tells the tokens', () => {
    const { activities, end } = scene('work', { exitCode: 0 });
    const shown = activities.filter(({ kind }) => kind === 'tool-used' || kind === 'usage');
    expect(shown).toEqual([
      { kind: 'tool-used', tool: 'shell', detail: expect.stringContaining('ls') as string },
      { kind: 'tool-used', tool: 'shell', detail: expect.stringContaining('made.txt') as string },
      { kind: 'usage', usage: { costUsd: 'unknown', tokens: 360 } },
    ]);
    expect(activities).toContainEqual({ kind: 'output', stream: 'message', text: 'I look first.\n' });
    const running = activities.flatMap((each) => (each.kind === 'alive' ? (each.toolsRunning ?? []) : []));
    const changes = running.filter((count, index) => count !== running[index - 1]);
    expect(changes).toEqual([0, 1, 0, 1, 0]);
    expect(end).toEqual({
      message: 'All of it is done.\n<promise>DONE</promise>',
      toolCalls: 2,
      usage: { costUsd: 'unknown', tokens: 360 },
    });
  });

  it('knows the other tools', () => {
    const { activities, end } = read(
      lines(
        {
          type: 'item.completed',
          item: { id: '1', type: 'file_change', changes: [{ path: 'a.js' }, { path: 'b.js' }] },
        },
        {
          type: 'item.started',
          item: { id: '2', type: 'mcp_tool_call', server: 's', tool: 't', arguments: { q: 'x' } },
        },
        { type: 'item.started', item: { id: '3', type: 'web_search', query: 'why' } },
        { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } },
      ),
    );
    expect(activities.filter(({ kind }) => kind === 'tool-used')).toEqual([
      { kind: 'tool-used', tool: 'edit', detail: 'a.js b.js' },
      { kind: 'tool-used', tool: 's.t', detail: 'x' },
      { kind: 'tool-used', tool: 'search', detail: 'why' },
    ]);
    expect(end.toolCalls).toBe(3);
  });

  it.each([
    ['server-error', 'transient', /high demand/u],
    ['late-server-error', 'transient', /high demand/u],
    ['rate-limit', 'rate-limit', /^HTTP 429/u],
    ['unauthorized', 'fatal', /^HTTP 401/u],
    ['too-long', 'unknown', /^prompt is too long/u],
    ['usage-limit', 'usage-limit', /hit your usage limit/u],
  ])('classifies %s as %s', (name, expected, detail) => {
    const { end } = scene(name);
    expect(end.failure).toMatchObject({
      class: expected,
      exitCode: 1,
      detail: expect.stringMatching(detail) as string,
    });
    expect(end.failure?.resumeAt === undefined).toBe(name !== 'usage-limit');
  });

  it('takes an error that the turn survived for no failure', () => {
    const survived = lines(
      { type: 'error', message: 'Reconnecting... 1/5' },
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } },
    );
    expect(read(survived).end.failure).toBeUndefined();
    expect(read(survived, { exitCode: 1 }).end.failure).toMatchObject({
      class: 'unknown',
      detail: 'Reconnecting... 1/5',
    });
  });

  it.each([
    [
      'a wrong option',
      { exitCode: 2, stderrTail: "error: unexpected argument '--yolo' found" },
      'fatal',
      /unexpected/u,
    ],
    ['no stream at all', { exitCode: 0, stderrTail: 'hm' }, 'unknown', /without reporting.*hm/u],
    ['the prompt on stderr', { exitCode: 1, stderrTail: PROMPT }, 'unknown', /^exit code 1, and no message$/u],
  ])('ends in a truthful failure after %s', (_, result, expected, detail) => {
    const { end } = read('', result);
    expect(end.failure).toMatchObject({ class: expected, detail: expect.stringMatching(detail) as string });
  });

  it('lets the user add arguments before the prompt, and replace the sandbox', () => {
    expect(codex.words(['-m', 'o3']).slice(-5)).toEqual(['--sandbox', 'workspace-write', '-m', 'o3', '-']);
    for (const args of [['-s', 'read-only'], ['--sandbox=read-only'], ['--dangerously-bypass-approvals-and-sandbox']])
      expect(codex.words(args)).not.toContain('workspace-write');
  });
});
