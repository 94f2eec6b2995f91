/** What `updateLoopState` of a manager does with values, who reports a tracker of another session, and what a restart changes. */
import { describe, expect, it, vi } from 'vitest';
import type { LoopState } from '../../src/facades/athena/index.ts';
import { createLoopManager, handleEvent, hasActiveTracker, loopCallbacks } from '../../src/facades/athena/index.ts';
import { anAthenaDesk, CONFIG } from '../support/athena-desk.ts';
import { aTrackerOfTheirs } from '../support/athena-theirs.ts';

describe('updateLoopState of a manager', () => {
  it('uses maxIterations, for the tracker and for the next stop', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, maxIterations: 1 });
    const { updateLoopState } = loopCallbacks(manager);
    updateLoopState({ iteration: 1, maxIterations: 2 });
    expect(manager.getState()).toMatchObject({ iteration: 1, maxIterations: 2 });
    expect(desk.read()).toMatch(/^---\niteration: 1\nmax_iterations: 2\n/u);
    expect([manager.settleStop().action, manager.settleStop().action]).toEqual(['continue', 'stop']);
    expect(desk.warnings).toEqual([]);
  });

  it.each([
    ['iteration', { iteration: 7 }],
    ['iteration', { iteration: -1 }],
    ['maxIterations', { maxIterations: -1 }],
    ['maxIterations', { maxIterations: Number.POSITIVE_INFINITY }],
    ['completionMarker, continueMessage', { completionMarker: 'X', continueMessage: 'Y' }],
    ['trackerContent', { trackerContent: '# New' }],
  ])('refuses %s with a warning when it is %o', (what, update) => {
    const desk = anAthenaDesk();
    const { updateLoopState } = loopCallbacks(desk.manager());
    const before = desk.read();
    updateLoopState(update);
    expect(desk.read()).toBe(before);
    expect(desk.warnings).toEqual([expect.stringContaining(`does not change ${what}`)]);
  });

  it('refuses to switch a loop on again that is over', () => {
    const desk = anAthenaDesk();
    const { updateLoopState } = loopCallbacks(desk.manager());
    updateLoopState({ active: true });
    expect(desk.warnings).toEqual([]);
    updateLoopState({ active: false });
    updateLoopState({ active: true });
    expect(desk.warnings).toEqual([expect.stringContaining('createLoopManager')]);
    expect(desk.read()).toContain('active: false');
  });
});

describe('a tracker that another session drives', () => {
  it('is reported when a manager is made for it, and by hasActiveTracker', () => {
    const desk = anAthenaDesk();
    aTrackerOfTheirs(desk, CONFIG);
    expect(desk.warnings).toEqual([expect.stringContaining('another session (claude-code theirs)')]);
    expect(hasActiveTracker(desk.file, desk.options)).toBe(false);
    expect(desk.warnings).toHaveLength(2);
  });

  it.each(['isActive', 'getState', 'evaluate', 'incrementIteration', 'deactivate', 'cleanup', 'settleStop'] as const)(
    'is reported by %s, and left as it is',
    (method) => {
      const desk = anAthenaDesk();
      const manager = aTrackerOfTheirs(desk, CONFIG);
      const before = desk.read();
      for (const other of ['isActive', 'getState'] as const) if (other !== method) manager[other]();
      desk.warnings.length = 0;
      manager[method]();
      expect(desk.warnings).toEqual([expect.stringContaining('another session')]);
      expect([desk.read(), desk.loops()[0]?.state.status]).toEqual([before, 'running']);
    },
  );

  it('is reported by updateLoopState too', () => {
    const desk = anAthenaDesk();
    const { updateLoopState } = loopCallbacks(aTrackerOfTheirs(desk, CONFIG));
    const before = desk.read();
    desk.warnings.length = 0;
    updateLoopState({ maxIterations: 50 });
    expect(desk.warnings.join('\n')).toContain('another session');
    expect(desk.read()).toBe(before);
  });
});

describe('a session that is resumed', () => {
  it('uses a continueMessage that was changed meanwhile', () => {
    const desk = anAthenaDesk();
    desk.manager({ ...CONFIG, continueMessage: 'Old words' }).settleStop();
    const again = desk.manager({ ...CONFIG, continueMessage: 'New {{GOAL}} words' });
    expect(again.evaluate()).toEqual({ action: 'continue', reason: 'New {{GOAL}} words' });
    expect(again.settleStop()).toEqual({ action: 'continue', reason: 'New {{GOAL}} words' });
    expect(again.getState()).toMatchObject({ iteration: 2, continueMessage: 'New {{GOAL}} words' });
    expect(desk.loops()).toHaveLength(1);
    expect(desk.differences()).toBe(0);
  });

  it('uses an edit of the tracker from the same time, too', () => {
    const desk = anAthenaDesk();
    desk.manager({ ...CONFIG, maxIterations: 1, continueMessage: 'Old words' }).settleStop();
    desk.write((desk.read() ?? '').replace('max_iterations: 1', 'max_iterations: 2'));
    const again = desk.manager({ ...CONFIG, maxIterations: 1, continueMessage: 'New words' });
    expect(again.settleStop()).toEqual({ action: 'continue', reason: 'New words' });
    expect(again.settleStop()).toEqual({ action: 'stop', reason: 'max iterations reached' });
  });
});

describe('how a loop ended', () => {
  it('is logged once where controller and manager have the same logger', () => {
    const desk = anAthenaDesk();
    const infos: string[] = [];
    const logger = { info: (line: string) => void infos.push(line), warn: () => {} };
    const manager = desk.manager({ ...CONFIG, maxIterations: 1 }, { logger });
    const callbacks = {
      getRules: () => [],
      enqueuePermission: () => {},
      enqueueQuestion: () => {},
      getLoopState: () => manager.getState(),
      updateLoopState: (update: Partial<LoopState>) =>
        update.active === false ? manager.deactivate() : manager.incrementIteration(),
      logger,
    };
    for (const id of ['1', '2']) handleEvent({ id, hookName: 'Stop' }, callbacks);
    expect(infos).toEqual([expect.stringContaining('max iterations reached')]);
  });

  it('names the limit of a day, and dayTurnsMax allows more', () => {
    const desk = anAthenaDesk();
    const config = { ...CONFIG, maxIterations: 50 };
    const few = desk.manager(config, { dayTurnsMax: 3 });
    const actions = Array.from({ length: 4 }, () => few.settleStop().action);
    expect(actions.filter((action) => action === 'continue')).toHaveLength(2);
    expect(desk.infos).toEqual([
      expect.stringContaining(
        '3 of 3 turns used today by the state files of this project; createLoopManager(…, { dayTurnsMax: 15 })',
      ),
    ]);
    expect(desk.manager(config, { dayTurnsMax: 9 }).settleStop().action).toBe('continue');
    expect(desk.manager(config, { dayTurnsMax: 0 }).settleStop().action).toBe('continue');
    expect(desk.warnings).toContainEqual(expect.stringContaining('dayTurnsMax takes a whole number from 1'));
  });

  it.each([
    ['max iterations reached', 0, ''],
    ['completion marker found', 3, '\nE2E_COMPLETE\n'],
  ])('is logged without a logger: %s', (words, maxIterations, body) => {
    const desk = anAthenaDesk();
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const manager = createLoopManager(desk.file, { ...CONFIG, maxIterations }, { home: desk.home });
    desk.append(body);
    manager.settleStop();
    expect(emitted.mock.calls).toEqual([[expect.stringContaining(words), 'TirelessNotice']]);
    emitted.mockRestore();
  });
});
