/** What a user chooses for the hook of a document, in the installed form. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

function scriptOf({ home }: User): string {
  const folder = path.join(home, 'hooks');
  return readFileSync(path.join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
}

describe('the options of the hook of a dialect', () => {
  it('are installed with it, kept by later installs, replaced when they are given again, and removed with it', async () => {
    const user = aUser();
    const install = async (...words: readonly string[]): Promise<void> => {
      const { code, stderr } = await user.tireless(['install', 'claude-code', '--dialect', ...words, '--yes']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    };
    await install('ralph-wiggum', '--approval-wait', '2m', '--after-approval', 'outer', '--max-day-turns', '50');
    const first = '--approval-wait 120000ms --after-approval outer --max-day-turns 50';
    expect(scriptOf(user)).toContain(`--dialect ralph-wiggum --reply json ${first}`);
    expect(scriptOf(user)).toContain(`--dialect ralph-wiggum --reply json --wake ${first}`);
    await install('stravinsky', '--max-day-turns', '70');
    await install('ralph-wiggum', '--approval-wait', '0', '--approval-watch', '4h');
    const last = '--approval-wait 0ms --after-approval outer --max-day-turns 50 --approval-watch 14400000ms';
    expect(scriptOf(user)).toContain(`--dialect ralph-wiggum --reply json ${last}`);
    expect(scriptOf(user)).toContain('--dialect stravinsky --reply json --max-day-turns 70\n');
    const stop = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: user.project });
    const call = ['hook', 'claude-code', '--dialect', 'ralph-wiggum', '--reply', 'json', ...last.split(' ')];
    expect(await user.tireless(call, { stdin: stop })).toMatchObject({ code: 0, stdout: '{}\n', stderr: '' });
    expect((await user.tireless(['uninstall', '--dialect', 'ralph-wiggum'])).code).toBe(0);
    expect(scriptOf(user)).not.toContain('approval');
    await install('ralph-wiggum');
    expect(scriptOf(user)).not.toContain('approval');
    expect(scriptOf(user)).toContain('--max-day-turns 70');
  });

  it.each([
    [['--dialect', 'stravinsky', '--approval-wait', '2m'], 'only ralph-wiggum waits for a person'],
    [['--after-approval', 'none'], 'only ralph-wiggum waits for a person'],
    [['--max-day-turns', '5'], 'without --dialect'],
    [['--dialect', 'ralph-wiggum', '--approval-wait', '2h'], 'the hook may run for 10m. Leave it out to wait as long'],
    [['--dialect', 'ralph-wiggum', '--approval-wait', '2h'], 'use --approval-watch 2h'],
    [['--dialect', 'ralph-wiggum', '--after-approval', 'maybe'], 'resume, outer or none'],
  ])('are refused where they have no effect: %j', async (words, why) => {
    const { code, stderr } = await aUser().tireless(['install', 'claude-code', ...words, '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });
});
