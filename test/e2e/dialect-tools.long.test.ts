/** `--iteration-timeout` in a loop that lives in a state file: the host asks before each tool, and an overdue one is refused. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const DENIED = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('The time for this iteration is used up') as string,
  },
};

async function hook(user: User, words: readonly string[], stdin: string): Promise<unknown> {
  const env = { CLAUDE_PROJECT_DIR: user.project };
  const { code, stdout, stderr } = await user.tireless(['hook', 'claude-code', '--dialect', ...words], { stdin, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function aTool(user: User, session = 'session-1'): string {
  const tool = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, session_id: session };
  return aStop(user.project, '', tool);
}

async function aFileLoop(dialect: string): Promise<User> {
  const user = aUser();
  const started = await user.tireless(['start', 'make it', '--dialect', dialect, '--session', 'session-1']);
  expect(started.code).toBe(0);
  return user;
}

describe.each(DIALECT_NAMES)('the tools of an overdue iteration in a loop of %s', (dialect) => {
  it('are refused to its own session and to no other, and nothing is counted', async () => {
    const user = await aFileLoop(dialect);
    const words = [dialect, '--reply', 'json', '--iteration-timeout', '1ms'];
    // No stop yet, so no loop yet.
    expect(await hook(user, words, aTool(user))).toEqual({});
    expect(await hook(user, words, aStop(user.project, 'not yet'))).toMatchObject({ decision: 'block' });
    const before = (await user.tireless(['list', '--json'])).stdout;
    expect(await hook(user, words, aTool(user))).toEqual(DENIED);
    expect(await hook(user, words, aTool(user, 'session-2'))).toEqual({});
    expect((await user.tireless(['list', '--json'])).stdout).toBe(before);
  });
});

describe('the time of an iteration in a loop of a state file', () => {
  it.each(['stravinsky', 'loop-mechanics'])(
    'is refused in the words of the host, also in the own form of %s',
    async (dialect) => {
      const user = await aFileLoop(dialect);
      await hook(user, [dialect, '--reply', 'json', '--iteration-timeout', '1ms'], aStop(user.project, 'not yet'));
      // The time that the loop was started with holds without being typed again.
      expect(await hook(user, [dialect], aTool(user))).toEqual(DENIED);
    },
  );

  it('leaves tools alone while there is time, and where no time was asked for', async () => {
    const user = await aFileLoop('supercode');
    await hook(user, ['supercode'], aStop(user.project, 'not yet'));
    expect(await hook(user, ['supercode'], aTool(user))).toEqual({});
    expect(await hook(user, ['supercode', '--iteration-timeout', '1h'], aTool(user))).toEqual({});
    expect(await hook(user, ['supercode', '--iteration-timeout', '1ms'], aTool(user))).toEqual(DENIED);
  });

  it('is installed with the dialect, and kept when another dialect comes to it', async () => {
    const user = aUser();
    const hooks = (): Record<string, unknown[]> =>
      (
        JSON.parse(readFileSync(path.join(user.project, '.claude/settings.local.json'), 'utf8')) as {
          hooks: Record<string, unknown[]>;
        }
      ).hooks;
    const script = (): string => {
      const folder = path.join(user.home, 'hooks');
      return readFileSync(path.join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
    };
    const install = async (...words: readonly string[]): Promise<void> => {
      const { code, stderr } = await user.tireless(['install', 'claude-code', '--dialect', ...words, '--yes']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    };
    await install('athena');
    expect(hooks()['PreToolUse']).toBeUndefined();
    await install('athena', '--iteration-timeout', '30m');
    expect(JSON.stringify(hooks()['PreToolUse'])).toContain('on=athena ');
    expect(script()).toContain('--dialect athena --reply json --iteration-timeout 1800000ms');
    expect(hooks()['Stop']).toHaveLength(1);
    await install('supercode');
    expect(hooks()['PreToolUse']).toHaveLength(2);
    expect(JSON.stringify(hooks()['Stop'])).toContain('on=supercode ');
    expect(script()).toContain('--dialect supercode --reply json --iteration-timeout 1800000ms');
    expect((await user.tireless(['install', 'claude-code', '--iteration-timeout', '30m'])).code).toBe(2);
  });
});
