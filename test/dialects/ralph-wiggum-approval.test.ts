import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import { aWiggumVault, GO_ON } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();

/** What `tireless pause` and `tireless resume` do, from another terminal. */
function post(event: Event): void {
  const room = openEmbeddedEngine({ home: vault.home() });
  const [loop] = room.store.list({ ended: false });
  room.run(handleEvent(loop?.state.loop ?? '', event));
  room.close();
}

describe('approval by a human', () => {
  it('pauses for a pending request, waits within its time, and lets the agent stop', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAYMENT_client.md');
    const reply = await vault.stop({ output: 'I asked for leave to pay.' });
    expect(reply.allowExit).toBe(true);
    expect(reply.reason?.replaceAll(/(?<=approve |reject )[\w-]+/gu, 'LOOP')).toBe(
      'Waiting for approval: move AI_Employee_Vault/Pending_Approval/PAYMENT_client.md to AI_Employee_Vault/Approved to continue, or to AI_Employee_Vault/Rejected to refuse (or: tireless approve LOOP, tireless reject LOOP). Then write to the agent here to continue',
    );
    expect(vault.waits).toEqual([1000, 1000, 1000]);
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'paused_awaiting_approval', paused_for_approval: true });
  });

  it('continues at once when the approval comes while it waits', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAYMENT_client.md');
    vault.meanwhile = (waited) => waited === 2 && vault.answer('PAYMENT_client.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toEqual({ ...GO_ON, message: 'Continuing loop (iteration 1/10)' });
    expect(vault.readState('RALPH_1')).toMatchObject({
      status: 'running',
      paused_for_approval: false,
      current_iteration: 1,
    });
  });

  it('resumes by itself at the next event after the file appeared in Approved', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAYMENT_client.md');
    await vault.stop({ output: 'hm' });
    expect((await vault.stop({ output: 'still here' })).allowExit).toBe(true);
    vault.answer('PAYMENT_client.md', 'Approved');
    expect(await vault.stop({ output: 'still here' })).toMatchObject(GO_ON);
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'running', current_iteration: 1 });
    expect(await vault.stop({ output: 'paid' })).toMatchObject({ message: 'Continuing loop (iteration 2/10)' });
  });

  it('shows the agent that the request was refused', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAYMENT_client.md', 'May I pay for RALPH_1?\n\nNo: too much.');
    await vault.stop({ output: 'hm' });
    vault.answer('PAYMENT_client.md', 'Rejected');
    const reply = await vault.stop({ output: 'hm' });
    expect(reply.allowExit).toBe(false);
    expect(reply.injectPrompt).toMatch(/^Process all invoices\.\.\.\n/);
    expect(reply.injectPrompt).toContain('No: too much.');
  });

  it('takes no answer that was there before the loop asked', async () => {
    mkdirSync(vault.path('Approved'), { recursive: true });
    const old = vault.path('Approved', 'APPROVAL_RALPH_1_1.md');
    writeFileSync(old, 'yes, the last time');
    while (Date.now() - statSync(old).ctimeMs < 1000) await setTimeout(50);
    vault.writeState('RALPH_1', { paused_for_approval: true });
    expect((await vault.stop({ output: 'may I pay 90000?' })).allowExit).toBe(true);
    vault.answer('APPROVAL_RALPH_1_1.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('writes its request into the vault, whatever the id of the loop is', async () => {
    vault.writeState('RALPH_1', { loop_id: 'x/../../../../out', paused_for_approval: true });
    await vault.stop({ output: 'hm' });
    expect(readdirSync(vault.path('Pending_Approval'))).toEqual(['APPROVAL_x_.._.._.._.._out_1.md']);
  });

  it('is not paused by a request of another loop or of an earlier time', async () => {
    vault.ask('OLD.md', 'May I pay?');
    vault.ask('FOR_RALPH_12.md', 'May I pay?');
    vault.writeState('RALPH_1', { started_at: new Date(Date.now() + 60_000).toISOString() });
    vault.ask('REVIEW_RALPH_1_3.md');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    vault.ask('OTHER.md', 'for loop RALPH_1');
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
  });

  it('sees a request of the same second in which the loop began', async () => {
    vault.ask('PAYMENT.md');
    vault.writeState('RALPH_1', { started_at: new Date(Math.floor(Date.now() / 1000) * 1000 + 999).toISOString() });
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/PAYMENT.md');
  });

  it('counts completion before a pending request', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAYMENT_client.md');
    expect(await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' })).toMatchObject({
      reason: 'Completion promise detected',
    });
  });

  it('writes a request of its own when paused_for_approval is set and there is none', async () => {
    vault.writeState('RALPH_1', { paused_for_approval: true });
    const reply = await vault.stop({ output: 'May I delete the old mails?' });
    expect(reply.reason).toContain('Pending_Approval/APPROVAL_RALPH_1_1.md');
    const text = readFileSync(vault.path('Pending_Approval/APPROVAL_RALPH_1_1.md'), 'utf8');
    expect(text).toContain('# Approval needed: loop RALPH_1');
    expect(text).toContain('May I delete the old mails?');
    expect(text).toContain('move this file to `AI_Employee_Vault/Approved/`');
    vault.answer('APPROVAL_RALPH_1_1.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('takes over a file that another tool paused', async () => {
    vault.writeState('RALPH_1', { status: 'paused_awaiting_approval', paused_for_approval: true });
    vault.ask('PAYMENT.md');
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/PAYMENT.md');
    vault.answer('PAYMENT.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'running', paused_for_approval: false });
  });

  it('writes its request again when someone deleted it', async () => {
    vault.writeState('RALPH_1', { paused_for_approval: true });
    await vault.stop({ output: 'hm' });
    unlinkSync(vault.path('Pending_Approval/APPROVAL_RALPH_1_1.md'));
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
    expect(existsSync(vault.path('Pending_Approval/APPROVAL_RALPH_1_1.md'))).toBe(true);
  });

  it('gives a loop that the user paused a request to move', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    post({ kind: 'pause-requested' });
    expect((await vault.stop({ output: 'hm' })).reason).toContain('APPROVAL_RALPH_1_1.md');
    vault.answer('APPROVAL_RALPH_1_1.md', 'Rejected');
    const reply = await vault.stop({ output: 'hm' });
    expect(reply).toMatchObject({ allowExit: false });
    expect(reply.injectPrompt).toContain('The user rejected');
  });

  it('pauses when paused_for_approval is set in the file, and continues when it is taken back', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    vault.writeState('RALPH_1', { current_iteration: 1, paused_for_approval: true });
    expect((await vault.stop({ output: 'hm' })).reason).toContain('APPROVAL_RALPH_1_2.md');
    vault.writeState('RALPH_1', { current_iteration: 2 });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('is not held up by its own request once someone resumed it elsewhere', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    post({ kind: 'pause-requested' });
    await vault.stop({ output: 'hm' });
    post({ kind: 'resume-requested' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it.each([
    [
      'in other words',
      (text: string) => text.replaceAll(/^(?!<).+$/gmu, (line) => line.replaceAll(/[a-z]{3,}/gu, '$&z')),
    ],
    [
      'as a version without marks wrote it',
      (text: string) => text.replaceAll(/^<!--.*-->\n/gmu, '').replace('has been waiting since', 'waits since'),
    ],
  ])('knows its own request %s', async (_, reworded) => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    post({ kind: 'pause-requested' });
    await vault.stop({ output: 'hm' });
    const file = vault.path('Pending_Approval/APPROVAL_RALPH_1_1.md');
    writeFileSync(file, reworded(readFileSync(file, 'utf8')));
    post({ kind: 'resume-requested' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('refuses over an older approval of the same name', async () => {
    vault.writeState('RALPH_1');
    mkdirSync(vault.path('Approved'), { recursive: true });
    writeFileSync(vault.path('Approved/PAYMENT.md'), 'last month');
    vault.ask('PAYMENT.md');
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
    vault.answer('PAYMENT.md', 'Rejected');
    expect((await vault.stop({ output: 'hm' })).injectPrompt).toContain('The user rejected');
  });
});

describe('errors of a turn', () => {
  it('tries again after a transient one, waiting twice as long each time, and logs it', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    vault.waits = [];
    for (const error of ['ECONNRESET', new Error('overloaded'), { message: 'again', transient: true }]) {
      expect(await vault.stop({ error })).toEqual({ ...GO_ON, message: 'Retrying after an error (iteration 2/10)' });
    }
    expect(vault.waits).toEqual([1000, 2000, 4000]);
    expect(vault.readState('RALPH_1')).toMatchObject({
      current_iteration: 1,
      status: 'running',
      errors: [
        { type: 'transient', message: 'ECONNRESET', iteration: 2 },
        { type: 'transient', number: 2 },
        { type: 'transient', message: 'again' },
      ],
    });
  });

  it('continues after recovery, and counts only turns that ended', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ error: 'ECONNRESET' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ message: 'Continuing loop (iteration 1/10)' });
    expect(vault.readState('RALPH_1')).toMatchObject({
      current_iteration: 1,
      iterations: [{ number: 1 }],
      errors: [{}],
    });
  });

  it('stops at once after a fatal one, with a review request and the details', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'Half of it is done.' });
    const error = Object.assign(new Error('Invalid API key'), { fatal: true });
    const reply = await vault.stop({ error });
    expect(reply.allowExit).toBe(true);
    expect(reply.reason).toBe(
      'Fatal error: Error: Invalid API key (a human should look at AI_Employee_Vault/Pending_Approval/REVIEW_RALPH_1_2.md)',
    );
    const stopped = vault.readState('RALPH_1', 'Ralph_History');
    expect(stopped).toMatchObject({ status: 'stopped', errors: [{ type: 'fatal' }] });
    expect(JSON.stringify(stopped['errors'])).toContain('ralph-wiggum-approval.test.ts');
    const review = readFileSync(vault.path('Pending_Approval/REVIEW_RALPH_1_2.md'), 'utf8');
    expect(review).toContain('Invalid API key');
    expect(review).toContain('Half of it is done.');
    expect(review).toContain('`AI_Employee_Vault/Ralph_History/RALPH_1.json`');
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true });
  });
});
