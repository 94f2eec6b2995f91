import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import type { ClockReading } from '../../src/core/evidence.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { classifiedByWords } from '../../src/facades/ralph-wiggum/failure.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import { systemClock } from '../../src/system/clock.ts';
import { thisWorker } from '../../src/system/worker-identity.ts';
import { aWiggumVault, GO_ON } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();

function post(event: Event): void {
  const engine = openEmbeddedEngine({ home: vault.home() });
  const [loop] = engine.store.list({ ended: false });
  engine.run(handleEvent(loop?.state.loop ?? '', event));
  engine.close();
}

/** Only these fields of the file as it stands, the rest as it is: an edit by hand. */
function edit(name: string, fields: Record<string, unknown>): void {
  vault.writeState(name, { ...vault.readState(name), ...fields });
}

describe('which file in Pending_Approval is a request of the loop', () => {
  it('is not a stray file, no matter when it was written', async () => {
    vault.writeState('RALPH_1');
    for (const name of ['README.md', 'notes.txt', 'INVOICE_other.md']) vault.ask(name, 'What this folder is for.');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    vault.ask('template.md', 'Copy this.');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('is one that names the loop, in its name or its text', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md', 'May I?');
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/PAY_RALPH_1.md');
  });

  it('is one that names the watched task file, with or without its ending', async () => {
    for (const text of ['May I pay Needs_Action/INVOICE_client.md?', 'May I pay INVOICE_client?']) {
      vault.writeState('RALPH_1', { watch_file: 'Needs_Action/INVOICE_client.md', current_iteration: 0 });
      vault.ask('PAYMENT.md', text);
      expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/PAYMENT.md');
      vault.answer('PAYMENT.md', 'Approved');
      expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    }
    vault.ask('OTHER.md', 'May I pay INVOICE_client2?');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('is the one without a name that came with paused_for_approval, and no README', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    vault.ask('README.md', 'What this folder is for.');
    vault.ask('SEND_MAIL.md', 'May I send it?');
    edit('RALPH_1', { paused_for_approval: true });
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/SEND_MAIL.md');
    vault.answer('SEND_MAIL.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('is not asked about twice once it was answered without being moved, until it is written anew', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ output: 'hm' });
    post({ kind: 'resume-requested' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    const file = vault.path('Pending_Approval/PAY_RALPH_1.md');
    const answeredMs = Date.now();
    await expect
      .poll(() => (vault.ask('PAY_RALPH_1.md', 'Again?'), statSync(file).ctimeMs))
      .toBeGreaterThan(answeredMs);
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/PAY_RALPH_1.md');
  });
});

describe('a request that is copied instead of moved', () => {
  const copy = (name: string, folder: 'Approved' | 'Rejected'): void => {
    mkdirSync(vault.path(folder), { recursive: true });
    copyFileSync(vault.path('Pending_Approval', name), vault.path(folder, name));
  };

  it('resumes the loop by a copy in Approved, once', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
    copy('PAY_RALPH_1.md', 'Approved');
    for (const output of ['a', 'b']) expect(await vault.stop({ output })).toMatchObject(GO_ON);
  });

  it('resumes the loop that asked by its own request', async () => {
    vault.writeState('RALPH_1', { paused_for_approval: true });
    await vault.stop({ output: 'hm' });
    copy('APPROVAL_RALPH_1_1.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('refuses by a copy in Rejected', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ output: 'hm' });
    copy('PAY_RALPH_1.md', 'Rejected');
    expect((await vault.stop({ output: 'hm' })).injectPrompt).toContain('The user rejected');
  });

  it.each(['Approved', 'Rejected'] as const)('counts also when it came to %s before the stop', async (folder) => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    vault.ask('PAY_RALPH_1.md');
    await aSecondLater();
    copy('PAY_RALPH_1.md', folder);
    await aSecondLater();
    const { injectPrompt } = await vault.stop({ output: 'hm' });
    expect(injectPrompt).toContain(folder === 'Approved' ? GO_ON.injectPrompt : 'The user rejected');
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ allowExit: false });
  });

  it('is no answer when the request was written anew after it', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ output: 'hm' });
    copy('PAY_RALPH_1.md', 'Approved');
    await aSecondLater();
    vault.ask('PAY_RALPH_1.md', 'May I pay 5000 EUR?');
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
  });

  it('is no answer of an earlier loop to the own request of the next', async () => {
    vault.writeState('RALPH_1', { paused_for_approval: true });
    await vault.stop({ output: 'hm' });
    copy('APPROVAL_RALPH_1_1.md', 'Approved');
    await vault.stop({ output: 'hm' });
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    await aSecondLater();
    vault.writeState('RALPH_1', { paused_for_approval: true, started_at: '2026-02-01T10:00:00Z' });
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
  });

  /** Longer than the slack between the clock of files and ours. */
  async function aSecondLater(): Promise<void> {
    const untilMs = Date.now() + 1000;
    await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(untilMs);
  }
});

describe('the fields of a paused file', () => {
  it('resumes by paused_for_approval: false alone, with the request where it is', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ output: 'hm' });
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'paused_awaiting_approval', paused_for_approval: true });
    edit('RALPH_1', { paused_for_approval: false });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    expect(vault.readState('RALPH_1')).toMatchObject({ status: 'running', paused_for_approval: false });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('resumes by status: running alone', async () => {
    vault.writeState('RALPH_1', { paused_for_approval: true });
    await vault.stop({ output: 'hm' });
    edit('RALPH_1', { status: 'running' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });

  it('stays paused when something else is edited', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ output: 'hm' });
    edit('RALPH_1', { max_iterations: 12 });
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(true);
  });

  it.each([
    ['stopped', 'Loop stopped by hand'],
    ['completed', 'Completed according to the state file'],
  ])('ends when the paused file says %s', async (status, reason) => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ output: 'hm' });
    edit('RALPH_1', { status });
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ allowExit: true, reason });
  });
});

describe('a request of the agent that was withdrawn', () => {
  const withdrawn = async (): Promise<string> => {
    vault.writeState('RALPH_1');
    vault.ask('send.md', 'Send for RALPH_1?');
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/send.md');
    rmSync(vault.path('Pending_Approval/send.md'));
    return (await vault.stop({ output: 'hm' })).reason ?? '';
  };
  const OWN = 'APPROVAL_RALPH_1_1.md';

  it('is not written again in its name: the loop asks in its own', async () => {
    expect(await withdrawn()).toMatch(/send\.md is gone.*move .*Pending_Approval\/APPROVAL_RALPH_1_1\.md/u);
    expect(existsSync(vault.path('Pending_Approval/send.md'))).toBe(false);
    expect(readFileSync(vault.path(`Pending_Approval/${OWN}`), 'utf8')).toContain('send.md is gone');
  });

  it.each(['Approved', 'Rejected'] as const)('is answered by moving that request to %s', async (folder) => {
    await withdrawn();
    vault.answer(OWN, folder);
    expect((await vault.stop({ output: 'hm' })).allowExit).toBe(false);
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ allowExit: false });
  });

  it('is answered by moving it, when it is written again', async () => {
    await withdrawn();
    vault.ask('send.md', 'Send for RALPH_1 now?');
    expect((await vault.stop({ output: 'hm' })).reason).toContain('Pending_Approval/send.md');
    vault.answer('send.md', 'Approved');
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ allowExit: false });
  });
});

describe('a strategy that is changed in the file of a running loop', () => {
  it('injects exactly state.prompt', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    edit('RALPH_1', { completion_promise: null, watch_file: 'Needs_Action/a.md', done_folder: 'Done/' });
    expect((await vault.stop({ output: 'hm' })).injectPrompt).toBe(GO_ON.injectPrompt);
    edit('RALPH_1', { completion_promise: 'OK', watch_file: null, prompt: 'Only the first {{ITERATION}}.' });
    expect((await vault.stop({ output: 'hm' })).injectPrompt).toBe('Only the first {{ITERATION}}.');
  });
});

describe('the review of a fatal error', () => {
  it('shows what the failed turn said, and what the turn before it said', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'Half of it is done.' });
    await vault.stop({ output: 'I was about to send the mail.', error: { message: 'Invalid API key', fatal: true } });
    const review = readFileSync(vault.path('Pending_Approval/REVIEW_RALPH_1_2.md'), 'utf8');
    expect(review).toMatch(/## The failed turn[\s\S]*I was about to send the mail\.[\s\S]*Half of it is done\./u);
  });
});

describe('which errors are fatal', () => {
  it.each(['Invalid API key', new Error('401 authentication_error'), { message: 'Your credit balance is too low' }])(
    'is %s: the loop stops at once',
    async (error) => {
      vault.writeState('RALPH_1');
      expect((await vault.stop({ error })).reason).toMatch(/^Fatal error: /u);
      expect(vault.readState('RALPH_1', 'Ralph_History')).toMatchObject({ errors: [{ type: 'fatal' }] });
    },
  );

  it.each([
    'invalid x-api-key',
    "EACCES: permission denied, open 'a'",
    'OAuth token has expired',
    'Please run /login',
    'Incorrect API key provided: sk-1',
  ])('is %s: no retry repairs it', (detail) => {
    expect(classifiedByWords({ class: 'unknown', detail }).class).toBe('fatal');
  });

  it.each(['ECONNRESET', 'overloaded_error', 'request timed out', 'unexpected token < in JSON'])(
    'is not %s',
    (detail) => {
      expect(classifiedByWords({ class: 'unknown', detail }).class).toBe('unknown');
    },
  );

  it('is none that the host calls transient', async () => {
    vault.writeState('RALPH_1');
    expect(await vault.stop({ error: { message: 'forbidden for now', transient: true } })).toMatchObject(GO_ON);
  });
});

describe('a file whose session is gone', () => {
  const anHourLater = (): ClockReading => {
    const now = systemClock().read();
    return { ...now, wallMs: now.wallMs + 60 * 60 * 1000 };
  };
  const later = { clock: { read: anHourLater }, lastSeenMs: () => undefined };

  it('is continued by the next session that stops there', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ session_id: 'a', output: 'hm' });
    expect(await vault.stop({ session_id: 'b', output: 'hm' }, { lastSeenMs: () => undefined })).toEqual({
      allowExit: true,
    });
    expect(await vault.stop({ session_id: 'b', output: 'hm' }, later)).toMatchObject(GO_ON);
  });

  it('stays with it while someone waits for an approval', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    await vault.stop({ session_id: 'a', output: 'hm' });
    post({ kind: 'watcher-began', worker: thisWorker(systemClock()) });
    expect(await vault.stop({ session_id: 'b', output: 'hm' }, later)).toEqual({ allowExit: true });
  });
});
