/** A session whose turn the user broke off is not at work: a file that they write after that belongs to the session that stops first. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIALECT_CASES, hookOf, loopsOf } from '../support/dialect-hooks.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const TURNS = 5;
const WORKS = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'turn 2' }] } };
const ESC = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
};

function noticeIn(stdout: string): string {
  return (JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? '';
}

/** What a hook gets to know about a session, and the line that its transcript ends with. */
function sessionIn(
  user: User,
  id: string,
): { readonly fields: Record<string, string>; readonly show: (line: object) => void } {
  const transcript = path.join(user.project, '..', 'transcripts', `${id}.jsonl`);
  mkdirSync(path.dirname(transcript), { recursive: true });
  const show = (line: object): void =>
    writeFileSync(transcript, `${JSON.stringify({ ...line, timestamp: new Date().toISOString() })}\n`);
  show(WORKS);
  return { fields: { session_id: id, transcript_path: transcript }, show };
}

/** The other documents name the session. */
const CASES = DIALECT_CASES.filter(({ file, text }) => !`${file}${text(TURNS)}`.includes('session-1'));

describe.each(CASES)('the file of $name, written again', ({ name, file, text }) => {
  const rewrite = (user: User): void => {
    const at = path.join(user.project, file);
    rmSync(at);
    writeFileSync(at, text(TURNS));
  };
  const begun = async () => {
    const user = aUser({ [file]: text(TURNS) });
    const hook = hookOf(user, name);
    const [first, other] = [sessionIn(user, 'session-1'), sessionIn(user, 'session-2')];
    expect((await hook('turn 1', first.fields)).continues).toBe(true);
    expect((await hook('turn 2', { ...first.fields, stop_hook_active: true })).continues).toBe(true);
    const stop = (): ReturnType<typeof hook> => hook('turn 1', other.fields);
    const prompt = (): ReturnType<typeof hook> =>
      hook('', { ...other.fields, hook_event_name: 'UserPromptSubmit', prompt: 'hi' });
    return { user, first, stop, prompt };
  };

  it('after Esc is a new loop of the session that stops first', async () => {
    const { user, first, stop } = await begun();
    first.show(ESC);
    expect((await stop()).stdout).toBe('{}\n');
    rewrite(user);
    expect((await stop()).continues).toBe(true);
    const loops = loopsOf(user).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(loops).toMatchObject([
      { status: 'cancelled', outcome: { because: 'file-removed' } },
      { status: 'running', session: { id: 'session-2' } },
    ]);
  });

  it('while its session works, is reported in another one with the command that starts it there', async () => {
    const { user, stop, prompt } = await begun();
    expect([noticeIn((await stop()).stdout), noticeIn((await prompt()).stdout)]).toEqual(['', '']);
    rewrite(user);
    for (const hook of [prompt, stop]) expect(noticeIn((await hook()).stdout)).toMatch(/--session session-2/u);
    const [{ loop } = { loop: '' }] = loopsOf(user);
    const taken = await user.tireless(['resume', loop, '--session', 'session-2', '--host', 'claude-code', '--force']);
    expect(taken.code).toBe(0);
    expect((await stop()).continues).toBe(true);
    expect(
      loopsOf(user)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['cancelled', 'running']);
  });
});
