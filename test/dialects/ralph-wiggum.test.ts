import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { createStopHook } from '../../src/facades/ralph-wiggum/index.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aWiggumVault, GO_ON } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();

describe('the stop hook of the document', () => {
  it('lets the agent stop without a state folder, and without a state file', async () => {
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true });
    rmSync(vault.path(), { recursive: true });
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true });
    expect(await vault.stop({})).toEqual({ allowExit: true });
  });

  it('injects the prompt with the message of the document, and counts', async () => {
    vault.writeState('RALPH_1');
    expect(await vault.stop({ output: 'hm' })).toEqual({ ...GO_ON, message: 'Continuing loop (iteration 1/10)' });
    expect(await vault.stop({ output: 'hm' })).toEqual({ ...GO_ON, message: 'Continuing loop (iteration 2/10)' });
    expect(vault.readState('RALPH_1')).toMatchObject({ current_iteration: 2, status: 'running', iterations: [{}, {}] });
  });

  it('pauses between iterations, one second by default', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    expect(vault.waits).toEqual([1000]);
    await vault.stop({ output: 'hm' }, { pauseBetweenIterations: 0 });
    vault.writeState('RALPH_2', { pause_between_iterations: 5 });
    await vault.stop({ output: 'hm', session_id: 'another' });
    expect(vault.waits).toEqual([1000, 1000, 5000]);
  });

  it('waits no longer than a host allows', async () => {
    vault.writeState('RALPH_1', { pause_between_iterations: 3600 });
    await vault.stop({ output: 'hm' }, { delayMaxMs: 30_000 });
    expect(vault.waits).toEqual([30_000]);
  });

  it('applies a pause that is changed in the file of a running loop', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    vault.writeState('RALPH_1', { current_iteration: 1, pause_between_iterations: 5 });
    await vault.stop({ output: 'hm' });
    expect(vault.waits).toEqual([1000, 5000]);
  });

  it('applies a promise that is corrected in the file of a running loop', async () => {
    vault.writeState('RALPH_1', { completion_promise: 'TASK_COMPELTE' });
    expect(await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' })).toMatchObject(GO_ON);
    vault.writeState('RALPH_1', { current_iteration: 1 });
    expect(await vault.stop({ output: '<promise>TASK_COMPELTE</promise>' })).toMatchObject(GO_ON);
    expect(await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' })).toEqual({
      allowExit: true,
      reason: 'Completion promise detected',
    });
  });

  it('ends by the promise, and the file goes to the history', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    const reply = await vault.stop({ output: 'Done. <promise>TASK_COMPLETE</promise>' });
    expect(reply).toEqual({ allowExit: true, reason: 'Completion promise detected' });
    expect(readdirSync(vault.path('Ralph_State'))).toEqual([]);
    expect(vault.readState('RALPH_1', 'Ralph_History')).toMatchObject({
      status: 'completed',
      iterations: [{}, { completed: true }],
    });
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true });
  });

  it('ends when the task file was moved to Done, and a copy is not enough', async () => {
    mkdirSync(vault.project('Needs_Action'));
    mkdirSync(vault.project('Done'));
    writeFileSync(vault.project('Needs_Action/INVOICE_client.md'), 'pay');
    vault.writeState('RALPH_1', { watch_file: 'Needs_Action/INVOICE_client.md', done_folder: 'Done/' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    writeFileSync(vault.project('Done/INVOICE_client.md'), 'pay');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
    unlinkSync(vault.project('Needs_Action/INVOICE_client.md'));
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true, reason: 'Task file moved to Done' });
  });

  it('ends at the maximum', async () => {
    vault.writeState('RALPH_1', { max_iterations: 1 });
    expect(await vault.stop({ output: 'hm' })).toMatchObject({
      allowExit: false,
      message: 'Continuing loop (iteration 1/1)',
    });
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true, reason: 'Max iterations reached' });
    expect(vault.readState('RALPH_1', 'Ralph_History')).toMatchObject({
      status: 'max_iterations_reached',
      current_iteration: 1,
    });
  });

  it('finds the vault from a folder below the project', async () => {
    vault.writeState('RALPH_1');
    mkdirSync(vault.project('src/deep'), { recursive: true });
    expect(await vault.stop({ output: 'hm' }, { cwd: vault.project('src/deep') })).toMatchObject(GO_ON);
  });

  it('keeps its files in another folder when asked', async () => {
    vault.writeState('RALPH_1');
    renameSync(vault.path('Ralph_State'), vault.path('Loops'));
    const folders = { stateFolder: 'AI_Employee_Vault/Loops', historyFolder: 'AI_Employee_Vault/Old' };
    expect(await vault.stop({ output: 'hm' }, { folders })).toMatchObject(GO_ON);
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' }, { folders });
    expect(readdirSync(vault.path('Old'))).toEqual(['RALPH_1.json']);
  });

  it('lets the agent stop when the file is corrupt, and reports it', async () => {
    writeFileSync(vault.path('Ralph_State', 'RALPH_1.json'), '{"prompt": ');
    const reply = await vault.stop({ output: 'hm' });
    expect(reply.allowExit).toBe(true);
    expect(reply.reason).toContain('RALPH_1.json cannot be read');
    expect(readFileSync(vault.path('Ralph_State', 'RALPH_1.json'), 'utf8')).toBe('{"prompt": ');
  });

  it('lets the agent stop when its home cannot be used, and reports it', async () => {
    vault.writeState('RALPH_1');
    writeFileSync(vault.home(), 'a file');
    const reply = await vault.stop({ output: 'hm' });
    expect(reply).toMatchObject({ allowExit: true });
    expect(reply.reason).toContain('Cannot keep loops');
  });

  it('cancels when the file is deleted', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm', session_id: 's' });
    unlinkSync(vault.path('Ralph_State', 'RALPH_1.json'));
    expect(await vault.stop({ output: 'hm', session_id: 's' })).toEqual({
      allowExit: true,
      reason: 'Loop stopped by hand',
    });
    expect(openFileStore({ home: vault.home() }).list({ ended: true })).toHaveLength(1);
  });

  it('finishes the move to the history that a crash left undone, and never over another file', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    const running = readFileSync(vault.path('Ralph_State', 'RALPH_1.json'), 'utf8');
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    writeFileSync(vault.path('Ralph_State', 'RALPH_1.json'), running);
    // As it was before the end: what is written after it is a new loop.
    utimesSync(vault.path('Ralph_State', 'RALPH_1.json'), 0, 0);
    writeFileSync(vault.path('Ralph_History', 'RALPH_1.json'), 'of another loop');
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true, reason: 'Loop completed' });
    expect(vault.readState('RALPH_1-2', 'Ralph_History')).toMatchObject({ status: 'completed' });
    expect(readdirSync(vault.path('Ralph_State'))).toEqual([]);
  });

  it('needs no history: the folder can be cleared at any time', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    vault.writeState('RALPH_2', { prompt: 'two' });
    await vault.stop({ output: 'hm' });
    rmSync(vault.path('Ralph_History'), { recursive: true });
    vault.writeState('RALPH_1', { prompt: 'one again' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ injectPrompt: 'two' });
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    expect(readdirSync(vault.path('Ralph_History'))).toEqual(['RALPH_2.json']);
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ injectPrompt: 'one again' });
  });

  it('has a journal that replays the same', async () => {
    vault.writeState('RALPH_1');
    vault.ask('A_RALPH_1.md');
    vault.meanwhile = (waited) => waited === 1 && vault.answer('A_RALPH_1.md', 'Approved');
    await vault.stop({ output: 'hm' });
    await vault.stop({ output: 'hm', error: 'ECONNRESET' });
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    const store = openFileStore({ home: vault.home() });
    const [ended] = store.list({ ended: true });
    expect(ended).toBeDefined();
    expect(replay(store.entries(ended?.state.loop ?? '')).differences).toEqual([]);
  });
});

describe('several loops in one folder', () => {
  it('gives each session a loop of its own, and keeps it', async () => {
    vault.writeState('RALPH_1', { prompt: 'one' });
    vault.writeState('RALPH_2', { prompt: 'two' });
    expect(await vault.stop({ output: 'hm', session_id: 'b' })).toMatchObject({ injectPrompt: 'one' });
    expect(await vault.stop({ output: 'hm', sessionId: 'a' })).toMatchObject({ injectPrompt: 'two' });
    expect(await vault.stop({ output: 'hm', session_id: 'c' })).toEqual({ allowExit: true });
    vault.writeState('RALPH_0', { prompt: 'zero' });
    expect(await vault.stop({ output: 'hm', session_id: 'b' })).toMatchObject({ injectPrompt: 'one' });
  });

  it('tells sessions of different hosts apart', async () => {
    vault.writeState('RALPH_1', { prompt: 'one' });
    expect(await vault.stop({ output: 'hm', session_id: 's' }, { host: 'codex' })).toMatchObject({
      injectPrompt: 'one',
    });
    expect(await vault.stop({ output: 'hm', session_id: 's' })).toEqual({ allowExit: true });
    const store = openFileStore({ home: vault.home() });
    expect(store.list({ ended: false })).toMatchObject([{ state: { session: { host: 'codex', id: 's' } } }]);
  });

  it('leaves a file that names another session alone', async () => {
    vault.writeState('RALPH_1', { session_id: 'somebody' });
    expect(await vault.stop({ output: 'hm', session_id: 'me' })).toEqual({ allowExit: true });
    expect(await vault.stop({ output: 'hm' })).toEqual({ allowExit: true });
    expect(await vault.stop({ output: 'hm', session_id: 'somebody' })).toMatchObject(GO_ON);
  });

  it('takes the next one when the first has ended', async () => {
    vault.writeState('RALPH_1', { prompt: 'one' });
    vault.writeState('RALPH_2', { prompt: 'two' });
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    expect(await vault.stop({ output: 'hm' })).toMatchObject({ injectPrompt: 'two' });
  });

  it('is not held up by a corrupt neighbour', async () => {
    writeFileSync(vault.path('Ralph_State', 'RALPH_0.json'), '{');
    vault.writeState('RALPH_1');
    expect(await vault.stop({ output: 'hm' })).toMatchObject(GO_ON);
  });
});

describe('the process around it', () => {
  it('uses the directory of the process and the real clock by default', async () => {
    vault.writeState('RALPH_1', { pause_between_iterations: 0 });
    const before = process.cwd();
    process.chdir(vault.project());
    onTestFinished(() => process.chdir(before));
    expect(await createStopHook({ home: vault.home() })({ output: 'hm' })).toMatchObject(GO_ON);
  });
});
