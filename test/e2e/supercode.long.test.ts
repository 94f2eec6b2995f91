import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const FILE = '.supercoin/ralph-loop-state.json';
const CLAIM = 'All green. <promise>DONE</promise>';
const aState = (changes: object = {}): string =>
  JSON.stringify({
    active: true,
    iteration: 1,
    maxIterations: 5,
    completionPromise: 'DONE',
    startedAt: '2026-11-01T10:00:00.000Z',
    prompt: 'make it',
    sessionId: 'session-1',
    ...changes,
  });

/** The transcript of Claude Code, as far as it matters here. */
const asked = (content: string) => ({ type: 'user', message: { role: 'user', content } });
const said = (text: string) => ({
  type: 'assistant',
  message: { id: text, role: 'assistant', content: [{ type: 'text', text }] },
});
const used = { type: 'assistant', message: { id: 'tool', content: [{ type: 'tool_use', id: 't', name: 'Bash' }] } };
const result = (content: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
});
const feedback = (text: string) => ({ ...asked(`Stop hook feedback:\n${text}`), isMeta: true });

function aSession(): {
  readonly user: User;
  readonly stop: (lines: readonly object[], last: string) => Promise<Reply>;
} {
  const user = aUser({ [FILE]: aState(), 'transcript.jsonl': '' });
  const transcript = path.join(user.project, 'transcript.jsonl');
  return {
    user,
    stop: async (lines, last) => {
      appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const stdin = aStop(user.project, last, { transcript_path: transcript });
      const { stdout } = await user.tireless(['hook', 'claude-code', '--dialect', 'supercode'], { stdin });
      const reply: Reply = JSON.parse(stdout);
      if (reply.reason !== undefined) appendFileSync(transcript, `${JSON.stringify(feedback(reply.reason))}\n`);
      return reply;
    },
  };
}
type Reply = { readonly decision?: string; readonly reason?: string; readonly systemMessage?: string };

describe('a claim in Claude Code', () => {
  it('counts in any message of the turn, as the detector of the document finds it', async () => {
    const { user, stop } = aSession();
    expect(await stop([asked('make it'), said('Working.')], 'Working.')).toMatchObject({ decision: 'block' });
    const reply = await stop([said(CLAIM), used, result('cleaned'), said('I have cleaned up.')], 'I have cleaned up.');
    expect(reply).toEqual({ systemMessage: 'Ralph Loop Complete! Task completed after 2 iteration(s)' });
    expect(existsSync(path.join(user.project, FILE))).toBe(false);
  });

  it('counts at the first stop, also when the last message is not in the transcript yet', async () => {
    const { stop } = aSession();
    expect((await stop([asked('make it'), said(CLAIM)], 'Bye.')).systemMessage).toContain('Ralph Loop Complete!');
    const other = aSession();
    expect((await other.stop([asked('make it'), said('Working.')], CLAIM)).systemMessage).toContain('Complete!');
  });

  it('counts when the user spoke after it, and before the agent stopped', async () => {
    const { stop } = aSession();
    await stop([asked('make it'), said('Working.')], 'Working.');
    const lines = [said(CLAIM), asked('[Request interrupted by user]'), asked('go on'), said('It is done already.')];
    expect((await stop(lines, 'It is done already.')).systemMessage).toContain('Ralph Loop Complete!');
  });

  it('does not count before the prompt of the user, in tools, or in a prompt that the agent quoted at an earlier stop', async () => {
    const { stop } = aSession();
    const first = await stop([said(CLAIM), asked('make it'), used, result(CLAIM), said('Working.')], 'Working.');
    expect(first.decision).toBe('block');
    const quote = `I was told: ${first.reason ?? ''}`;
    expect((await stop([said(quote)], quote)).decision).toBe('block');
    expect(await stop([said('Working.')], 'Working.')).toMatchObject({
      decision: 'block',
      systemMessage: 'Ralph Loop: Iteration 4/5',
    });
  });
});

describe('a paused loop', () => {
  it('lets the agent stop, and reports at every stop that it is paused', async () => {
    const { user, stop } = aSession();
    await stop([asked('make it'), said('Working.')], 'Working.');
    await user.tireless(['pause']);
    for (const text of ['One.', 'Two.'])
      expect((await stop([said(text)], text)).systemMessage).toMatch(
        /^Ralph Loop Paused: you paused it; resume with: tireless resume \S+$/u,
      );
  });
});

describe('a state file before its first stop', () => {
  async function type(user: User, command: string, args = ''): Promise<string> {
    const stdin = JSON.stringify({
      hook_event_name: 'UserPromptExpansion',
      session_id: 'session-1',
      cwd: user.project,
      command_name: command,
      command_args: args,
    });
    return (await user.tireless(['hook', 'claude-code'], { stdin })).stdout;
  }

  for (const sessionId of ['session-1', ''])
    it(`is known to the commands of the session that it ${sessionId === '' ? 'may belong to' : 'names'}`, async () => {
      const user = aUser({ [FILE]: aState({ sessionId }) });
      expect(await type(user, 'ralph-status')).toMatch(/ralph-loop-state\.json.*begins at the next stop/u);
      const refused = await type(user, 'ralph', 'do something else');
      expect(refused).toContain('Cannot start a loop here: a loop of supercode (.supercoin/ralph-loop-state.json)');
      expect((await user.tireless(['status', '--json'])).stdout).toContain('"loops":[]');
      expect(await type(user, 'ralph', '--resume')).toContain('begins at the next stop of this session');
      expect(await type(user, 'cancel-ralph')).toMatch(
        /loop \S+ in \.supercoin\S+ was cancelled before its first stop/u,
      );
      expect(existsSync(path.join(user.project, FILE))).toBe(false);
      expect(await type(user, 'cancel-ralph')).toContain('this session has no open loop');
      expect(await type(user, 'ralph', 'do something else')).toContain('works on');
    });

  it('is ignored by another session', async () => {
    const user = aUser({ [FILE]: aState({ sessionId: 'session-2' }) });
    expect(await type(user, 'cancel-ralph')).toContain('this session has no open loop');
    expect(await type(user, 'ralph', 'do something else')).toContain('works on');
    expect(readFileSync(path.join(user.project, FILE), 'utf8')).toBe(aState({ sessionId: 'session-2' }));
  });

  it('is not cancelled by a command that could mean several', async () => {
    const stravinsky = '.stravinsky/continuation-loop.md';
    const user = aUser({ [FILE]: aState() });
    expect((await user.tireless(['start', '--dialect', 'stravinsky', 'make that'])).code).toBe(0);
    expect(await type(user, 'cancel-ralph')).toMatch(/supercoin\S+ .*tireless cancel FILE/u);
    writeFileSync(path.join(user.project, FILE), aState({ active: false }));
    expect(await type(user, 'cancel-ralph')).toContain(`${stravinsky} was cancelled`);
  });
});

describe('a file whose session never stopped', () => {
  it('is offered to a new session, which takes it over by one command', async () => {
    const user = aUser({ [FILE]: aState({ sessionId: 'old' }) });
    const hook = async (payload: string): Promise<Reply> => {
      const { stdout } = await user.tireless(['hook', 'claude-code', '--dialect', 'supercode'], { stdin: payload });
      return JSON.parse(stdout) as Reply;
    };
    const prompt = { hook_event_name: 'UserPromptSubmit', session_id: 'new', cwd: user.project, prompt: 'Hello' };
    const { systemMessage } = await hook(JSON.stringify(prompt));
    expect(systemMessage).toContain(`start its loop here: tireless resume ${FILE} --session new`);

    const moved = await user.tireless(['resume', FILE, '--session', 'new']);
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('begins at the next stop of session new')]);
    expect(await hook(aStop(user.project, 'hm', { session_id: 'new' }))).toMatchObject({ decision: 'block' });
  });
});

describe('a resume past the maximum', () => {
  it('writes the file again, and deleting it ends the loop', async () => {
    const user = aUser({ [FILE]: aState({ iteration: 5 }) });
    let stops = 0;
    const stop = async (): Promise<Reply> => {
      const stdin = aStop(user.project, `hm ${++stops}`);
      const { stdout } = await user.tireless(['hook', 'claude-code', '--dialect', 'supercode'], { stdin });
      return JSON.parse(stdout) as Reply;
    };
    expect((await stop()).systemMessage).toContain('Max iterations (5) reached');
    expect((await user.tireless(['resume', '--max-iterations', '8'])).code).toBe(0);
    expect(JSON.parse(readFileSync(path.join(user.project, FILE), 'utf8'))).toMatchObject({
      active: true,
      maxIterations: 8,
      startedAt: '2026-11-01T10:00:00.000Z',
    });
    expect(await stop()).toMatchObject({ decision: 'block' });
    rmSync(path.join(user.project, FILE));
    expect((await stop()).decision).toBeUndefined();
    expect((await user.tireless(['list'])).stdout).not.toContain('running');
  });
});
