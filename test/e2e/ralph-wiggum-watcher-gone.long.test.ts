import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WiggumFixture } from '../support/a-wiggum-fixture.ts';
import { aWiggumFixture, isAlive, SOON, starts } from '../support/a-wiggum-fixture.ts';
import { aStop } from '../support/hook-payload.ts';

async function aFixtureWithoutWatcher(): Promise<WiggumFixture> {
  const fixture = aWiggumFixture();
  fixture.ask();
  await fixture.stop('asked');
  await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
  const began = fixture.entries().flatMap(({ event }) => (event.kind === 'watcher-began' ? [event.worker.pid] : []));
  for (const pid of began) process.kill(pid, 'SIGKILL');
  await expect.poll(() => began.some(isAlive), SOON).toBe(false);
  return fixture;
}

function watchFiles(home: string): readonly string[] {
  const loops = path.join(home, 'loops');
  const files = readdirSync(loops).map((loop) => path.join(loop, 'watch.json'));
  return files.map((file) => path.join(loops, file)).filter((file) => existsSync(file));
}

async function shown(fixture: WiggumFixture, event: string, session = 'session-1'): Promise<string> {
  const more = { hook_event_name: event, session_id: session, prompt: 'hm', source: 'startup' };
  const words = ['hook', 'claude-code', '--dialect', 'ralph-wiggum'];
  return (await fixture.user.tireless(words, { stdin: aStop(fixture.user.project, '', more), env: fixture.env }))
    .stdout;
}

describe('a loop whose process that waits for the answer was killed', () => {
  it('is reported by status and doctor, and brought back by approve', async () => {
    const fixture = await aFixtureWithoutWatcher();
    const { user } = fixture;
    expect((await user.tireless(['status'])).stdout).toMatch(/watcher: +process \d+ .* is dead.*write to the agent/u);
    expect((await user.tireless(['doctor', 'claude-code', '--no-start'])).stdout).toMatch(
      /should have resumed the agent .* is dead/u,
    );
    fixture.say('<promise>OK</promise>');
    expect((await user.tireless(['approve'], { env: fixture.env })).stdout).toMatch(
      /continues in its session by itself/u,
    );
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(fixture)).toHaveLength(1);
  });

  it('is not promised to come back when nobody knows any more how it was started', async () => {
    const fixture = await aFixtureWithoutWatcher();
    const { user } = fixture;
    for (const file of watchFiles(user.home)) writeFileSync(file, '{"watched":');
    expect((await user.tireless(['approve'])).stdout).toMatch(/at the next stop; nothing resumes .*write to it/u);
    expect((await user.tireless(['resume'])).stdout).toMatch(/is dead, so write to it there/u);
    expect(starts(fixture)).toEqual([]);
  });

  it.each([
    ['Approved', /PAY_RALPH_1\.md was approved; the loop continues at the next stop/u],
    ['Rejected', /PAY_RALPH_1\.md was refused; the agent reads why at the next stop/u],
  ] as const)('shows that the answer is in %s, in status and in the session', async (folder, told) => {
    const fixture = await aFixtureWithoutWatcher();
    expect(await shown(fixture, 'SessionStart', 'session-2')).toContain('is paused');
    fixture.answer(folder);
    const { stdout } = await fixture.user.tireless(['status']);
    expect(stdout).toMatch(told);
    expect(stdout).not.toContain('Pending_Approval');
    for (const event of ['SessionStart', 'UserPromptSubmit']) expect(await shown(fixture, event)).toMatch(told);
    expect(await fixture.stop('still here')).toContain('"block"');
  });
});

/** The host of a hook that waits, as its parent: it starts the hook and reads nothing of it. */
const HOST = `
const { spawn } = require('node:child_process');
const hook = spawn(process.execPath, [process.env.TIRELESS_CLI, 'hook', 'claude-code', '--dialect', 'ralph-wiggum'], { stdio: ['pipe', 'ignore', 'ignore'] });
hook.stdin.end(process.env.PAYLOAD);
console.log(hook.pid);
setInterval(() => {}, 1000);
`;

describe('a hook that waits for the answer when its host was killed', () => {
  it.each([
    ['is known by its variable', true],
    ['is only its parent', false],
  ])('leaves the answer to the process that brings the session back, if the host %s', async (_, isNamed) => {
    const fixture = aWiggumFixture();
    fixture.say('<promise>OK</promise>');
    fixture.ask();
    const program = isNamed ? `process.env.CLAUDE_PID = String(process.pid);${HOST}` : HOST;
    const env = { ...process.env, ...fixture.user.env, ...fixture.env, PAYLOAD: aStop(fixture.user.project, 'asked') };
    const host = spawn(process.execPath, ['-e', program], { env, cwd: fixture.user.project });
    const hookPid = Number(String((await once(host.stdout, 'data'))[0]));
    await expect.poll(() => fixture.kinds(), SOON).toContain('watcher-began');
    host.kill('SIGKILL');
    await expect.poll(() => isAlive(hookPid), SOON).toBe(false);
    expect(fixture.entries().at(-1)?.event.kind).toBe('watcher-began');
    fixture.answer('Approved');
    await expect.poll(() => fixture.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(fixture)).toHaveLength(1);
  });
});
