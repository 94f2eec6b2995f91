import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aWiggumDesk, isAlive, SOON, starts, VAULT } from '../support/a-wiggum-desk.ts';
import { aStop } from '../support/hook-payload.ts';

describe('approval after the hook has ended', () => {
  it('brings the same session back with the prompt of the loop, and all of it is in the journal', async () => {
    const desk = aWiggumDesk();
    desk.say('paid', '<promise>OK</promise>');
    desk.ask();
    expect(await desk.stop('asked')).toContain('Waiting for approval');
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    desk.answer('Approved');
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(desk)).toMatchObject([
      {
        args: ['-p', '--resume', 'session-1', '--permission-mode', 'acceptEdits'],
        prompt: 'make it',
        cwd: desk.user.project,
        nested: null,
      },
    ]);
    expect(desk.kinds().slice(-6)).toEqual([
      'turn-ended',
      'watcher-began',
      'approval-given',
      'watcher-acted',
      'turn-ended',
      'turn-ended',
    ]);
    const done = path.join(desk.user.project, VAULT, 'Ralph_History/RALPH_1.json');
    await expect.poll(() => existsSync(done), SOON).toBe(true);
    expect(JSON.parse(readFileSync(done, 'utf8'))).toMatchObject({ status: 'completed', iterations: [{}, {}, {}] });
  });

  it('ends when the request is refused, and the agent sees it at the next stop', async () => {
    const desk = aWiggumDesk();
    desk.ask();
    await desk.stop('asked');
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    desk.answer('Rejected');
    await expect
      .poll(() => desk.entries().at(-1)?.event, SOON)
      .toMatchObject({ kind: 'watcher-ended', why: 'refused' });
    expect(starts(desk)).toEqual([]);
    expect(await desk.stop('still here')).toContain('The user rejected');
  });

  it.each(['UserPromptSubmit', 'Stop'])('ends its agent when the user returns with a %s', async (name) => {
    const desk = aWiggumDesk();
    desk.ask();
    await desk.stop('asked', undefined, { AGENT_STAYS: '1' });
    desk.answer('Approved');
    await expect.poll(() => starts(desk), SOON).toHaveLength(1);
    const payload = aStop(desk.user.project, 'I am here', { hook_event_name: name, prompt: 'hello' });
    const ran = await desk.user.tireless(['hook', 'claude-code', '--dialect', 'ralph-wiggum'], {
      stdin: payload,
      env: desk.env,
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(desk.entries().map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ kind: 'watcher-ended', why: 'session-returned' }),
    );
    const [first] = desk.calls();
    await expect.poll(() => isAlive(Number(first?.['pid'])), SOON).toBe(false);
  });

  it('is one process, however many stops there are', async () => {
    const desk = aWiggumDesk();
    desk.say('<promise>OK</promise>');
    desk.ask();
    await desk.stop('asked');
    await Promise.all(['a', 'b', 'c'].map((message) => desk.stop(message)));
    desk.answer('Approved');
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(desk)).toHaveLength(1);
  });

  it('does nothing with --after-approval none', async () => {
    const desk = aWiggumDesk();
    desk.ask();
    await desk.stop('asked', ['--approval-wait', '0', '--after-approval', 'none']);
    desk.answer('Approved');
    expect(desk.kinds()).not.toContain('watcher-began');
    expect(await desk.stop('still here')).toContain('"block"');
  });

  it('lets later stops of a paused loop pass at once', async () => {
    const desk = aWiggumDesk();
    desk.ask();
    await desk.stop('asked');
    const began = Date.now();
    expect(await desk.stop('what now?', [])).toContain('Waiting for approval');
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});
