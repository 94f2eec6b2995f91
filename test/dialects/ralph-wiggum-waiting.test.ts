import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { StopHookOptions, StopReply } from '../../src/facades/ralph-wiggum/index.ts';
import { aWiggumVault } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();
const REQUEST = 'PAY.md';

/** What a command does in another terminal, or the watcher, before the hook looks. */
function post(event: Event): void {
  const room = openEmbeddedEngine({ home: vault.home() });
  const [loop] = room.store.list({ ended: false });
  room.run(handleEvent(loop?.state.loop ?? '', event));
  room.close();
}

function edit(fields: Record<string, unknown>): void {
  vault.writeState('RALPH_1', { ...vault.readState('RALPH_1'), ...fields });
}

function statusInJournal(): string | undefined {
  const room = openEmbeddedEngine({ home: vault.home() });
  const [loop] = room.store.list({ ended: 'both' });
  room.close();
  return loop?.state.status;
}

/** The hook waits for an answer, and this happens during its second wait. */
async function waitAnd(happens: () => void, options: StopHookOptions = {}): Promise<StopReply> {
  vault.writeState('RALPH_1');
  vault.ask(REQUEST);
  vault.meanwhile = (waited) => waited === 2 && happens();
  return vault.stop({ output: 'asked', session_id: 's1' }, { approvalWaitMs: 60_000, ...options });
}

describe('a hook that waits for an approval', () => {
  it.each<[string, () => void]>([
    ['the loop was cancelled', () => post({ kind: 'cancel-requested' })],
    ['its file is gone', () => rmSync(vault.path('Ralph_State/RALPH_1.json'))],
    ['its file says stopped', () => edit({ status: 'stopped' })],
    ['its file says completed', () => edit({ status: 'completed' })],
  ])('ends with a message when %s', async (_, happens) => {
    const reply = await waitAnd(happens);
    expect(reply.allowExit).toBe(true);
    expect(reply.reason).toMatch(/^(?:Loop stopped by hand|Completed according to the state file)$/u);
    expect(vault.waits).toHaveLength(2);
  });

  it('ends when its journal was removed', async () => {
    const reply = await waitAnd(() => rmSync(path.join(vault.home(), 'loops'), { recursive: true }));
    expect(reply.allowExit).toBe(true);
    expect(vault.waits).toHaveLength(2);
  });

  it('ends when its file cannot be read at two looks in a row, and names it', async () => {
    const broken = vault.path('Ralph_State/RALPH_1.json');
    const reply = await waitAnd(() => writeFileSync(broken, '{'));
    expect(reply.reason).toContain('AI_Employee_Vault/Ralph_State/RALPH_1.json cannot be read');
    expect(vault.waits).toHaveLength(3);
  });

  it('ends when its session has ended, or the loop is in another one', async () => {
    await waitAnd(() => post({ kind: 'session-left' }));
    expect(vault.waits).toHaveLength(2);
    post({ kind: 'session-changed', session: { host: 'claude-code', id: 's1' } });
    expect(statusInJournal()).toBe('paused');
  });

  it('takes no answer when the program that would read the reply is gone', async () => {
    let isGone = false;
    const happens = (): void => {
      isGone = true;
      vault.answer(REQUEST, 'Approved');
    };
    const reply = await waitAnd(happens, { isHostGone: () => isGone });
    expect(reply.allowExit).toBe(true);
    expect([vault.waits.length, statusInJournal()]).toEqual([2, 'paused']);
    expect(vault.readState('RALPH_1')).toMatchObject({ paused_for_approval: true });
  });
});
