import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aWiggumFixture, isAlive, SOON, starts, VAULT } from '../support/a-wiggum-fixture.ts';
import { aStop } from '../support/hook-payload.ts';

describe('approval after the hook has ended', () => {
  it('brings the same session back with the prompt of the loop, and all of it is in the journal', async () => {
    const fixture = aWiggumFixture();
    fixture.say('paid', '<promise>OK</promise>');
    fixture.ask();
    expect(await fixture.stop('asked')).toContain('Waiting for approval');
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    fixture.answer('Approved');
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(fixture)).toMatchObject([
      {
        args: ['-p', '--resume', 'session-1', '--permission-mode', 'acceptEdits'],
        prompt: 'make it',
        cwd: fixture.user.project,
        nested: null,
      },
    ]);
    expect(fixture.kinds().slice(-6)).toEqual([
      'turn-ended',
      'watcher-began',
      'approval-given',
      'watcher-acted',
      'turn-ended',
      'turn-ended',
    ]);
    const done = path.join(fixture.user.project, VAULT, 'Ralph_History/RALPH_1.json');
    await expect.poll(() => existsSync(done), SOON).toBe(true);
    expect(JSON.parse(readFileSync(done, 'utf8'))).toMatchObject({ status: 'completed', iterations: [{}, {}, {}] });
  });

  it('ends when the request is refused, and the agent sees it at the next stop', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked');
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    fixture.answer('Rejected');
    await expect
      .poll(() => fixture.entries().at(-1)?.event, SOON)
      .toMatchObject({ kind: 'watcher-ended', why: 'refused' });
    expect(starts(fixture)).toEqual([]);
    expect(await fixture.stop('still here')).toContain('The user rejected');
  });

  it.each(['UserPromptSubmit', 'Stop'])('ends its agent when the user returns with a %s', async (name) => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked', undefined, { AGENT_STAYS: '1' });
    fixture.answer('Approved');
    await expect.poll(() => starts(fixture), SOON).toHaveLength(1);
    const payload = aStop(fixture.user.project, 'I am here', { hook_event_name: name, prompt: 'hello' });
    const ran = await fixture.user.tireless(['hook', 'claude-code', '--dialect', 'ralph-wiggum'], {
      stdin: payload,
      env: fixture.env,
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(fixture.entries().map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ kind: 'watcher-ended', why: 'session-returned' }),
    );
    const [first] = fixture.calls();
    await expect.poll(() => isAlive(Number(first?.['pid'])), SOON).toBe(false);
  });

  it('is one process, however many stops there are', async () => {
    const fixture = aWiggumFixture();
    fixture.say('<promise>OK</promise>');
    fixture.ask();
    await fixture.stop('asked');
    await Promise.all(['a', 'b', 'c'].map((message) => fixture.stop(message)));
    fixture.answer('Approved');
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(fixture)).toHaveLength(1);
  });

  it('does nothing with --after-approval none', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked', ['--approval-wait', '0', '--after-approval', 'none']);
    fixture.answer('Approved');
    expect(fixture.kinds()).not.toContain('watcher-began');
    expect(await fixture.stop('still here')).toContain('"block"');
  });

  it('lets later stops of a paused loop pass at once', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked');
    const began = Date.now();
    expect(await fixture.stop('what now?', [])).toContain('Waiting for approval');
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});
