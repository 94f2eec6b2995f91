import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StopHookOptions } from '../../src/facades/ralph-wiggum/index.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { aWiggumVault, GO_ON } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();

const DONE = '<promise>TASK_COMPLETE</promise>';

describe('a state file that is written again', () => {
  it.each([
    ['completed at its first stop', DONE, {}],
    ['reached its maximum at its first stop', 'hm', { max_iterations: 0 }],
    ['failed at its first stop', '', {}],
  ])('starts a loop of its own after one that %s', async (_, output, fields) => {
    const error = output === '' ? { error: { message: 'Invalid API key', fatal: true } } : {};
    for (const round of [1, 2, 3]) {
      vault.writeState('RALPH_1', fields);
      const reply = await vault.stop({ output, session_id: 's', ...error });
      expect(reply.reason, `round ${round}`).toMatch(
        /^(?:Completion promise detected|Max iterations reached|Fatal error)/u,
      );
    }
    const store = openFileStore({ home: vault.home() });
    expect(store.list({ ended: true })).toHaveLength(3);
    store.close();
    expect(readdirSync(vault.path('Ralph_State'))).toEqual([]);
    expect(readdirSync(vault.path('Ralph_History')).toSorted()).toEqual([
      'RALPH_1-2.json',
      'RALPH_1-3.json',
      'RALPH_1.json',
    ]);
  });

  it('starts a loop of its own after it was deleted and the stop noticed', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm', session_id: 's' });
    const text = readFileSync(vault.path('Ralph_State/RALPH_1.json'), 'utf8');
    rmSync(vault.path('Ralph_State/RALPH_1.json'));
    await vault.stop({ output: 'hm', session_id: 's' });
    writeFileSync(vault.path('Ralph_State/RALPH_1.json'), text);
    expect(await vault.stop({ output: 'hm', session_id: 's' })).toMatchObject(GO_ON);
    expect(existsSync(vault.path('Ralph_State/RALPH_1.json'))).toBe(true);
  });
});

describe('a corrupt state file beside a good one', () => {
  it.each([
    ['continues', 'hm'],
    ['ends', DONE],
  ])('is reported by name when the loop %s', async (_, output) => {
    writeFileSync(vault.path('Ralph_State/RALPH_0.json'), '{');
    writeFileSync(vault.path('Ralph_State/RALPH_2.json'), '{"prompt": 1}');
    vault.writeState('RALPH_1');
    const { reason, message, injectPrompt } = await vault.stop({ output });
    const shown = reason ?? message ?? '';
    expect(shown).toContain('Ralph_State/RALPH_0.json cannot be read');
    expect(shown).toContain('Ralph_State/RALPH_2.json cannot be read');
    expect(injectPrompt ?? '').not.toContain('RALPH_0');
  });

  it('is reported when it is not even text, and holds nothing up', async () => {
    writeFileSync(vault.path('Ralph_State/RALPH_0.json'), Buffer.from([0x7b, 0xff, 0xfe]));
    vault.writeState('RALPH_1');
    const reply = await vault.stop({ output: 'hm' });
    expect(reply).toMatchObject(GO_ON);
    expect(reply.message).toContain('RALPH_0.json cannot be read: it is not UTF-8');
  });

  it('is reported by its name when it is the file of the loop', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'hm' });
    for (const bytes of [Buffer.from('{'), Buffer.from([0x7b, 0xff, 0xfe])]) {
      writeFileSync(vault.path('Ralph_State/RALPH_1.json'), bytes);
      const { allowExit, reason } = await vault.stop({ output: 'hm' });
      expect(allowExit).toBe(true);
      expect(reason).toContain('Ralph_State/RALPH_1.json cannot be read');
      expect(reason?.match(/cannot be read/giu)).toHaveLength(1);
    }
  });

  it('is reported to a session without a loop, and while a loop waits for approval', async () => {
    writeFileSync(vault.path('Ralph_State/RALPH_0.json'), '{');
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    const waiting = await vault.stop({ output: 'hm', session_id: 'a' });
    expect(waiting.reason).toMatch(/^Waiting for approval[\s\S]*RALPH_0\.json cannot be read/u);
    expect((await vault.stop({ output: 'hm', session_id: 'b' })).reason).toContain('RALPH_0.json cannot be read');
  });
});

describe('sessions that stop at the same moment', () => {
  /** While this session starts its loop, another one stops and takes the same file. */
  function overtakenBy(session: string, fields: { output: string }): Pick<StopHookOptions, 'clock'> {
    let isFirst = true;
    return {
      clock: {
        read: () => {
          if (isFirst) {
            isFirst = false;
            void vault.stop({ session_id: session, ...fields });
          }
          return systemClock().read();
        },
      },
    };
  }

  it('get a loop each, as long as there are files', async () => {
    for (const name of ['RALPH_1', 'RALPH_2', 'RALPH_3']) vault.writeState(name, { prompt: name });
    const reply = await vault.stop({ session_id: 'b', output: 'hm' }, overtakenBy('a', { output: 'hm' }));
    expect(reply).toMatchObject({ allowExit: false, injectPrompt: 'RALPH_2' });
    expect(await vault.stop({ session_id: 'a', output: 'hm' })).toMatchObject({ injectPrompt: 'RALPH_1' });
    expect(await vault.stop({ session_id: 'b', output: 'hm' })).toMatchObject({ injectPrompt: 'RALPH_2' });
  });

  it('leave a file alone that the other one took and paused', async () => {
    vault.writeState('RALPH_1');
    vault.ask('PAY_RALPH_1.md');
    const reply = await vault.stop({ session_id: 'b', output: 'hm' }, overtakenBy('a', { output: 'hm' }));
    expect(reply).toEqual({ allowExit: true });
  });
});

describe('an end that could not be written', () => {
  it('is reported by the stop that can write it, to the session of the loop, once', async () => {
    vault.writeState('RALPH_1', { pause_between_iterations: 0 });
    expect(await vault.stop({ output: 'one', session_id: 's' })).toMatchObject(GO_ON);
    const file = vault.path('Ralph_State', 'RALPH_1.json');
    const [before, { atime, mtime }] = [readFileSync(file), statSync(file)];
    expect((await vault.stop({ output: DONE, session_id: 's' })).reason).toBe('Completion promise detected');
    // As a vault that nobody could write to leaves it.
    rmSync(vault.path('Ralph_History'), { recursive: true });
    writeFileSync(file, before);
    utimesSync(file, atime, mtime);
    expect(await vault.stop({ output: 'hm', session_id: 's' })).toEqual({ allowExit: true, reason: 'Loop completed' });
    expect(vault.readState('RALPH_1', 'Ralph_History')).toMatchObject({ status: 'completed', current_iteration: 2 });
    expect(await vault.stop({ output: 'hm', session_id: 's' })).toEqual({ allowExit: true });
  });
});
