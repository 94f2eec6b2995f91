import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { Entry } from '../../src/core/journal.ts';
import { explainEntries, paragraphText } from '../../src/views/explain.ts';
import { aWiggumVault, GO_ON } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();
const NO_WAIT = { approvalWaitMs: 0 };
const stop = (output: string): ReturnType<typeof vault.stop> => vault.stop({ output }, NO_WAIT);

/** A person writes why not, and moves the request. */
function refuse(name: string, why: string): void {
  appendFileSync(vault.path('Pending_Approval', name), `\n${why}\n`);
  vault.answer(name, 'Rejected');
}

function entries(): readonly Entry[] {
  const engine = openEmbeddedEngine({ home: vault.home() });
  const [loaded] = engine.store.list({ ended: 'both' });
  const all = engine.store.entries(loaded?.state.loop ?? '');
  engine.close();
  return all;
}

function refusals(): readonly string[] {
  return entries().flatMap(({ event }) => (event.kind === 'approval-refused' ? [event.request] : []));
}

describe('a refusal', () => {
  it('reaches the agent when another request was approved', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A.md', 'RALPH_1 pay 1');
    vault.ask('B.md', 'RALPH_1 delete the database');
    await stop('m1');
    refuse('B.md', 'NEVER do this');
    vault.answer('A.md', 'Approved');
    const { injectPrompt } = await stop('m2');
    expect(injectPrompt).toContain('NEVER do this');
    expect(await stop('m3')).toMatchObject(GO_ON);
    expect(refusals()).toEqual(['B.md']);
  });

  it('reaches the agent when a stop came between it and the approval of the other', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A.md', 'RALPH_1 pay 1');
    vault.ask('B.md', 'RALPH_1 delete the database');
    await stop('m1');
    refuse('B.md', 'NEVER do this');
    expect((await stop('m2')).allowExit).toBe(true);
    vault.answer('A.md', 'Approved');
    expect((await stop('m3')).injectPrompt).toContain('NEVER do this');
    expect(refusals()).toEqual(['B.md']);
  });

  it('reaches the agent when it came while the agent worked, in the first turn and later, once', async () => {
    vault.writeState('RALPH_1');
    for (const name of ['FIRST.md', 'LATER.md']) {
      vault.ask(name, 'RALPH_1 delete the database');
      refuse(name, `not ${name}`);
      expect((await stop('hm')).injectPrompt).toContain(`not ${name}`);
      expect((await stop('hm')).injectPrompt).toBe(GO_ON.injectPrompt);
    }
    expect(refusals()).toEqual(['FIRST.md', 'LATER.md']);
  });

  it('reaches the agent with paused_for_approval, although its request names no loop', async () => {
    vault.writeState('RALPH_1');
    await stop('hm');
    vault.ask('A.md', 'May I?');
    vault.ask('B.md', 'May I delete the database?');
    vault.writeState('RALPH_1', { ...vault.readState('RALPH_1'), paused_for_approval: true });
    expect((await stop('hm')).reason).toContain('B.md');
    refuse('B.md', 'NEVER do this');
    vault.answer('A.md', 'Approved');
    expect((await stop('hm')).injectPrompt).toContain('NEVER do this');
  });

  it('of an earlier loop in the same file is not told to the next', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A.md', 'RALPH_1 pay 1');
    await stop('hm');
    refuse('A.md', 'No.');
    await stop('hm');
    await stop('<promise>TASK_COMPLETE</promise>');
    vault.writeState('RALPH_1');
    for (const output of ['hm', 'hm again']) expect((await stop(output)).injectPrompt).toBe(GO_ON.injectPrompt);
  });

  it('is reported again when the request was written and refused again', async () => {
    vault.writeState('RALPH_1');
    for (const why of ['too much', 'still too much']) {
      vault.ask('A.md', 'RALPH_1 pay 1');
      expect((await stop('hm')).allowExit).toBe(true);
      refuse('A.md', why);
      expect((await stop('hm')).injectPrompt).toContain(why);
    }
    expect(refusals()).toEqual(['A.md', 'A.md']);
  });

  it('is in the explanation', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A.md', 'RALPH_1 pay 1');
    refuse('A.md', 'too much');
    await stop('hm');
    expect(explainEntries(entries()).flatMap(paragraphText).join('\n')).toMatch(/You rejected A\.md: .*too much/u);
  });
});

describe('a request that the agent calls as tireless calls its own', () => {
  const NAME = 'APPROVAL_RALPH_1_7.md';

  it('pauses the loop, and is answered by moving it', async () => {
    vault.writeState('RALPH_1');
    vault.ask(NAME, 'May I pay?');
    expect((await stop('hm')).reason).toContain(NAME);
    vault.answer(NAME, 'Approved');
    expect(await stop('hm')).toMatchObject(GO_ON);
  });

  it.each(['APPROVAL_RALPH_1_1.md', NAME])('resumes by %s also with paused_for_approval beside it', async (name) => {
    vault.writeState('RALPH_1', { paused_for_approval: true });
    vault.ask(name, '# Approval needed: loop RALPH_1\n\nThe loop waits since today, after iteration 1.');
    expect((await stop('hm')).reason).toContain(name);
    vault.answer(name, 'Approved');
    expect(await stop('hm')).toMatchObject(GO_ON);
  });

  it('needs no second answer when it was approved before the stop', async () => {
    vault.writeState('RALPH_1');
    await stop('hm');
    vault.ask(NAME, 'May I pay?');
    vault.writeState('RALPH_1', { ...vault.readState('RALPH_1'), paused_for_approval: true });
    vault.answer(NAME, 'Approved');
    expect(await stop('hm')).toMatchObject(GO_ON);
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'running', paused_for_approval: false });
  });
});

describe('two requests of one loop', () => {
  it('are both named, and the loop stays paused until both are answered', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A.md', 'RALPH_1 pay 1');
    vault.ask('B.md', 'RALPH_1 pay 2');
    expect((await stop('hm')).reason).toMatch(/move each of \S+\/A\.md, \S+\/B\.md to /u);
    vault.answer('A.md', 'Approved');
    const { allowExit, reason } = await stop('hm');
    expect(allowExit).toBe(true);
    expect(reason).toContain('Waiting for approval: move AI_Employee_Vault/Pending_Approval/B.md to');
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'paused_awaiting_approval', paused_for_approval: true });
    vault.answer('B.md', 'Approved');
    expect(await stop('hm')).toMatchObject(GO_ON);
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'running', current_iteration: 1 });
  });

  it('are both answered by paused_for_approval: false', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A.md', 'RALPH_1 pay 1');
    vault.ask('B.md', 'RALPH_1 pay 2');
    await stop('hm');
    vault.writeState('RALPH_1', { ...vault.readState('RALPH_1'), paused_for_approval: false });
    for (const output of ['hm', 'hm again']) expect(await stop(output)).toMatchObject(GO_ON);
  });

  it('stay two when one of them is the request about a pause of the user', async () => {
    vault.writeState('RALPH_1');
    await stop('hm');
    const engine = openEmbeddedEngine({ home: vault.home() });
    const [loop] = engine.store.list({ ended: false });
    engine.run(handleEvent(loop?.state.loop ?? '', { kind: 'pause-requested' }));
    engine.close();
    await stop('hm');
    vault.ask('B.md', 'RALPH_1 pay 2');
    vault.answer('APPROVAL_RALPH_1_1.md', 'Approved');
    expect((await stop('hm')).reason).toMatch(/move \S+B\.md to/u);
    mkdirSync(vault.path('Approved'), { recursive: true });
    renameSync(vault.path('Pending_Approval/B.md'), vault.path('Approved/B.md'));
    expect(await stop('hm')).toMatchObject({ ...GO_ON, message: 'Continuing loop (iteration 1/10)' });
  });
});
