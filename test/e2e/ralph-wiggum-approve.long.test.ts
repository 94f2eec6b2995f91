import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const VAULT = 'AI_Employee_Vault';
const STATE = JSON.stringify({ loop_id: 'RALPH_1', prompt: 'make it', pause_between_iterations: 0 });
const HOOK = ['hook', 'claude-code', '--dialect', 'ralph-wiggum', '--approval-wait', '0', '--after-approval', 'none'];

async function stop(user: User): Promise<string> {
  return (await user.tireless(HOOK, { stdin: aStop(user.project, 'hm') })).stdout;
}

function ask(user: User, name = 'PAY.md'): void {
  const folder = path.join(user.project, VAULT, 'Pending_Approval');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), 'May I pay? (loop RALPH_1)');
}

async function aPausedLoop(): Promise<User> {
  const user = aUser({ [`${VAULT}/Ralph_State/RALPH_1.json`]: STATE });
  await stop(user);
  expect((await user.tireless(['pause'])).code).toBe(0);
  return user;
}

describe('approve and reject while the user has paused the loop', () => {
  it('record the approval of a pending request, and report that the loop is still paused', async () => {
    const user = await aPausedLoop();
    ask(user);
    const { code, stdout } = await user.tireless(['approve']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^approved PAY\.md.*still paused.*tireless resume \S+\n$/u);
    expect((await user.tireless(['status'])).stdout).toContain('paused: you paused it');
    expect((await user.tireless(['resume'])).code).toBe(0);
    for (const _ of [1, 2]) expect(await stop(user)).toContain('"block"');
  });

  it('record the refusal of a pending request, and the agent reads it', async () => {
    const user = await aPausedLoop();
    ask(user);
    const { code, stdout } = await user.tireless(['reject', 'too much']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rejected PAY\.md.*still paused.*tireless resume \S+\n$/u);
    await user.tireless(['resume']);
    expect(await stop(user)).toContain('too much');
  });

  it('continue the loop when the request asks about the pause itself, as a moved file does', async () => {
    const user = await aPausedLoop();
    expect(await stop(user)).toContain('APPROVAL_RALPH_1_1.md');
    expect(existsSync(path.join(user.project, VAULT, 'Pending_Approval/APPROVAL_RALPH_1_1.md'))).toBe(true);
    const { code, stdout } = await user.tireless(['approve']);
    expect(code).toBe(0);
    expect(stdout).toContain('continues in its session');
    expect(await stop(user)).toContain('"block"');
  });

  it('say what to type when nothing is pending', async () => {
    const user = await aPausedLoop();
    for (const words of [['approve'], ['reject', 'no']]) {
      const { code, stderr } = await user.tireless(words);
      expect(code).toBe(1);
      expect(stderr).toMatch(/LOOP_STATE: .*is not waiting for approval.*you paused it.*tireless resume \S+/u);
    }
  });

  it('hand the reason of a plain refusal to the agent at its next stop, once', async () => {
    const user = aUser({ [`${VAULT}/Ralph_State/RALPH_1.json`]: STATE });
    ask(user);
    await stop(user);
    expect((await user.tireless(['reject', 'too much'])).code).toBe(0);
    expect(await stop(user)).toContain('too much');
    expect(await stop(user)).not.toContain('too much');
  });

  it('pause says what a loop waits for that is paused already', async () => {
    const user = aUser({ [`${VAULT}/Ralph_State/RALPH_1.json`]: STATE });
    ask(user);
    await stop(user);
    const { code, stderr } = await user.tireless(['pause']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/LOOP_STATE: Cannot pause loop \S+.*Pending_Approval\/PAY\.md to .*Approved/u);
  });

  it('say that the loop continues in its session after a plain approval', async () => {
    const user = aUser({ [`${VAULT}/Ralph_State/RALPH_1.json`]: STATE });
    ask(user);
    expect(await stop(user)).toContain('Waiting for approval');
    expect((await user.tireless(['approve'])).stdout).toContain('continues in its session');
    expect(await stop(user)).toContain('"block"');
  });
});

describe('approve and reject with two requests of one loop', () => {
  it('answer one after the other, and say what the loop still waits for', async () => {
    const user = aUser({ [`${VAULT}/Ralph_State/RALPH_1.json`]: STATE });
    ask(user, 'A.md');
    ask(user, 'B.md');
    expect(await stop(user)).toMatch(/A\.md, \S+B\.md/u);
    expect((await user.tireless(['approve'])).stdout).toMatch(
      /^approved A\.md; loop \S+ is still waiting: move \S+B\.md to/u,
    );
    expect((await user.tireless(['reject', 'too much'])).stdout).toContain('continues');
    expect(await stop(user)).toContain('The user rejected (B.md): too much');
  });
});
