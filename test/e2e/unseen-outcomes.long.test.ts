/** What a host did not show when it happened is on the screen at the next event of the session, and what a message promises is true. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIALECT_CASES } from '../support/dialect-hooks.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Reply = {
  readonly decision?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: { readonly additionalContext?: string };
};

const CAP = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' };

function hostOf(user: User, dialect: string) {
  return async (event: string, more: Readonly<Record<string, unknown>> = {}): Promise<Reply> => {
    const words = ['hook', 'claude-code', '--dialect', dialect, '--reply', 'json'];
    const { code, stdout } = await user.tireless(words, {
      stdin: aStop(user.project, 'not yet', { hook_event_name: event, ...more }),
      env: { ...CAP, CLAUDE_PROJECT_DIR: user.project },
    });
    expect(code).toBe(0);
    return JSON.parse(stdout) as Reply;
  };
}

describe.each(DIALECT_CASES)('a loop of $name at the cap of its host', ({ name, file, text }) => {
  const atTheCap = async () => {
    const user = aUser({ [file]: text(9) });
    const host = hostOf(user, name);
    expect(await host('Stop')).toMatchObject({ decision: 'block' });
    expect(await host('Stop', { stop_hook_active: true })).toMatchObject({ decision: 'block' });
    const paused = await host('Stop', { stop_hook_active: true });
    expect(paused.decision).toBeUndefined();
    expect(paused.systemMessage).toMatch(/limits how often in a row.*write to the agent/isu);
    return { user, host };
  };

  it('continues when the user writes to the agent, as the message says', async () => {
    const { user, host } = await atTheCap();
    const answer = await host('UserPromptSubmit', { prompt: 'go on' });
    expect(answer.hookSpecificOutput?.additionalContext).toContain('What the user says now comes first');
    expect((await user.tireless(['status'])).stdout).toContain('running');
    expect(await host('Stop')).toMatchObject({ decision: 'block' });
  });

  it('continues at the stop of a turn that the user began, where no hook reports prompts', async () => {
    const { host } = await atTheCap();
    expect((await host('Stop', { stop_hook_active: true })).decision).toBeUndefined();
    expect(await host('Stop')).toMatchObject({ decision: 'block' });
  });
});

describe.each([
  ['ralph-wiggum', /authentication_failed.*Pending_Approval\/REVIEW_RALPH_1_2\.md/isu],
  ['loop-mechanics', /authentication_failed.*tireless resume/isu],
])('a turn of %s that failed for good', (name, told) => {
  const { file, text } = DIALECT_CASES.find((each) => each.name === name) ?? DIALECT_CASES[0]!;

  it.each(['UserPromptSubmit', 'SessionStart', 'Stop'])(
    'is on the screen at the next %s, and only once',
    async (next) => {
      const user = aUser({ [file]: text(9) });
      const host = hostOf(user, name);
      await host('Stop');
      await host('StopFailure', { error: 'authentication_failed' });
      const more = { prompt: 'hm', source: 'resume' };
      expect((await host(next, more)).systemMessage).toMatch(told);
      expect((await host('UserPromptSubmit', more)).systemMessage ?? '').not.toContain('authentication_failed');
    },
  );
});

describe('a cancel from another terminal', () => {
  const cases = DIALECT_CASES.map(({ name, file, text }) => ({ name, file, begin: text(9) }));

  it.each(cases)('is on the screen of a loop of $name, and only once', async ({ name, file, begin }) => {
    const user = aUser({ [file]: begin });
    const host = hostOf(user, name);
    await host('Stop');
    expect((await user.tireless(['cancel'])).code).toBe(0);
    const shown = await host('Stop');
    expect(shown.decision).toBeUndefined();
    expect(shown.systemMessage).toMatch(/cancelled|stopped/u);
    expect(shown.systemMessage).not.toContain('gone');
    expect(await host('Stop')).toEqual({});
  });

  it.each(['Stop', 'UserPromptSubmit'])('is on the screen at the next %s of a session, and only once', async (next) => {
    const user = aUser();
    await user.tireless(['start', 'paint the shed', '--session', 'session-1']);
    expect((await user.tireless(['cancel'])).code).toBe(0);
    const host = async (event: string): Promise<unknown> => {
      const stdin = aStop(user.project, 'not yet', { hook_event_name: event, prompt: 'hm' });
      return JSON.parse((await user.tireless(['hook', 'claude-code'], { stdin })).stdout);
    };
    expect(await host('PreToolUse')).toEqual({});
    const armed = path.join(user.home, 'armed', 'claude-code', 'session-1');
    expect(existsSync(armed)).toBe(true);
    expect(await host(next)).toEqual({
      systemMessage: expect.stringMatching(/^tireless: loop \S+ was cancelled; the agent is no longer sent back$/u),
    });
    expect(existsSync(armed)).toBe(false);
    expect(await host('Stop')).toEqual({});
  });
});
