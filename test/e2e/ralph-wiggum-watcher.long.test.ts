import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aWiggumFixture, FILE, SOON, starts } from '../support/a-wiggum-fixture.ts';

describe('a process that waits for an approval', () => {
  it('waits on with the same process when the agent it brought back asks again', async () => {
    const fixture = aWiggumFixture();
    fixture.say('paid', 'asked again');
    fixture.ask();
    await fixture.stop('asked');
    fixture.answer('Approved');
    await expect.poll(() => fixture.kinds(), SOON).toContain('approval-given');
    fixture.ask();
    await expect.poll(() => fixture.kinds().filter((kind) => kind === 'watcher-acted'), SOON).toHaveLength(2);
    fixture.say('<promise>OK</promise>');
    fixture.answer('Approved');
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(fixture.kinds().filter((kind) => kind === 'watcher-began')).toHaveLength(1);
  });

  it('follows tireless approve too', async () => {
    const fixture = aWiggumFixture();
    fixture.say('<promise>OK</promise>');
    fixture.ask();
    await fixture.stop('asked');
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    expect((await fixture.user.tireless(['approve'])).code).toBe(0);
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
  });

  it('ends when the file is removed, and the loop is cancelled', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked');
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    rmSync(path.join(fixture.user.project, FILE));
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('cancel');
    fixture.answer('Approved');
    expect(starts(fixture)).toEqual([]);
  });

  it('ends when its time is used up', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked', ['--approval-wait', '0', '--approval-watch', '1s']);
    await expect
      .poll(() => fixture.entries().at(-1)?.event, SOON)
      .toMatchObject({ kind: 'watcher-ended', why: 'overdue' });
  });

  it('leaves a session alone whose program still runs, and takes it up when that is gone', async () => {
    const fixture = aWiggumFixture();
    fixture.say('<promise>OK</promise>');
    fixture.ask();
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void program.kill('SIGKILL'));
    await fixture.stop('asked', undefined, { CLAUDE_PID: String(program.pid) });
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    fixture.answer('Approved');
    await new Promise((resolve) => {
      setTimeout(resolve, 1500);
    });
    expect(starts(fixture)).toEqual([]);
    program.kill('SIGKILL');
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
  });

  it('tries an agent that fails again, records it, and then asks a person', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked', undefined, { AGENT_FAILS: '1' });
    fixture.answer('Approved');
    await expect
      .poll(() => fixture.entries().map(({ decision }) => decision), SOON)
      .toContainEqual(expect.objectContaining({ kind: 'pause', cause: 'failed' }));
    expect(starts(fixture)).toHaveLength(3);
    // The file follows the journal.
    await expect
      .poll(() => JSON.parse(readFileSync(path.join(fixture.user.project, FILE), 'utf8')) as unknown, SOON)
      .toMatchObject({
        errors: [
          { number: 1 },
          { number: 2 },
          { number: 3, message: expect.stringContaining('no such session') as string },
        ],
      });
  });

  it('starts an agent again when no hook reported its stop, records it, and then asks a person', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    await fixture.stop('asked', undefined, { AGENT_SILENT: '1' });
    fixture.answer('Approved');
    await expect
      .poll(() => fixture.entries().map(({ decision }) => decision), SOON)
      .toContainEqual(expect.objectContaining({ kind: 'pause', cause: 'failed' }));
    expect(starts(fixture)).toHaveLength(3);
    const message = expect.stringMatching(/claude -p --resume session-1.*exit code 0.*Stop hook/u);
    await expect
      .poll(() => JSON.parse(readFileSync(path.join(fixture.user.project, FILE), 'utf8')) as unknown, SOON)
      .toMatchObject({
        status: 'paused_awaiting_approval',
        errors: [{ number: 1 }, { number: 2 }, { number: 3, message }],
      });
    const { stdout } = await fixture.user.tireless(['status']);
    expect(stdout).toMatch(/paused.*Stop hook[\s\S]*tireless resume/u);
    expect((await fixture.user.tireless(['explain'])).stdout).toMatch(/exit code 0.*Stop hook/u);
    // Somebody mended it: the same process brings the agent back.
    fixture.say('<promise>OK</promise>');
    expect((await fixture.user.tireless(['resume'])).code).toBe(0);
    await expect.poll(() => starts(fixture), SOON).toHaveLength(4);
  });

  it('brings an agent back that ended although the loop continues, within the maximum', async () => {
    const fixture = aWiggumFixture();
    // It stops only once per start, whatever its hook says.
    fixture.say('one turn');
    fixture.ask();
    await fixture.stop('asked');
    fixture.answer('Approved');
    await expect.poll(() => fixture.entries().at(-1)?.decision, { timeout: 60_000 }).toMatchObject({ kind: 'halt' });
    expect(fixture.entries().filter(({ event }) => event.kind === 'turn-ended')).toHaveLength(6);
  });

  it('hands the loop over with --after-approval outer', async () => {
    const fixture = aWiggumFixture();
    fixture.ask();
    // Nobody asks a hook outside of the session: what it prints is what it said.
    const said = JSON.stringify({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: '<promise>OK</promise>',
    });
    writeFileSync(path.join(fixture.user.home, 'bin/claude'), `#!/bin/sh\ncat >/dev/null\necho '${said}'\n`);
    await fixture.stop('asked', ['--approval-wait', '0', '--after-approval', 'outer']);
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    fixture.answer('Approved');
    await expect.poll(() => fixture.entries().map(({ decision }) => decision.kind), SOON).toContain('complete');
    expect(fixture.kinds()).toEqual(expect.arrayContaining(['approval-given', 'watcher-ended', 'driver-changed']));
    await expect.poll(() => fixture.kinds().at(-1), SOON).toBe('worker-released');
  });
});
