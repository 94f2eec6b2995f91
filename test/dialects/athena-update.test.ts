/** What `updateLoopState` of a manager does with values, who reports a tracker of another session, and what a restart changes. */
import { describe, expect, it, vi } from 'vitest';
import type { LoopState } from '../../src/facades/athena/index.ts';
import { createLoopManager, handleEvent, hasActiveTracker, loopCallbacks } from '../../src/facades/athena/index.ts';
import { anAthenaFixture, CONFIG } from '../support/athena-fixture.ts';
import { aTrackerOfTheirs } from '../support/athena-theirs.ts';

describe('updateLoopState of a manager', () => {
  it('uses maxIterations, for the tracker and for the next stop', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, maxIterations: 1 });
    const { updateLoopState } = loopCallbacks(manager);
    updateLoopState({ iteration: 1, maxIterations: 2 });
    expect(manager.getState()).toMatchObject({ iteration: 1, maxIterations: 2 });
    expect(fixture.read()).toMatch(/^---\niteration: 1\nmax_iterations: 2\n/u);
    expect([manager.settleStop().action, manager.settleStop().action]).toEqual(['continue', 'stop']);
    expect(fixture.warnings).toEqual([]);
  });

  it.each([
    ['iteration', { iteration: 7 }],
    ['iteration', { iteration: -1 }],
    ['maxIterations', { maxIterations: -1 }],
    ['maxIterations', { maxIterations: Number.POSITIVE_INFINITY }],
    ['completionMarker, continueMessage', { completionMarker: 'X', continueMessage: 'Y' }],
    ['trackerContent', { trackerContent: '# New' }],
  ])('refuses %s with a warning when it is %o', (what, update) => {
    const fixture = anAthenaFixture();
    const { updateLoopState } = loopCallbacks(fixture.manager());
    const before = fixture.read();
    updateLoopState(update);
    expect(fixture.read()).toBe(before);
    expect(fixture.warnings).toEqual([expect.stringContaining(`does not change ${what}`)]);
  });

  it('refuses to switch a loop on again that is over', () => {
    const fixture = anAthenaFixture();
    const { updateLoopState } = loopCallbacks(fixture.manager());
    updateLoopState({ active: true });
    expect(fixture.warnings).toEqual([]);
    updateLoopState({ active: false });
    updateLoopState({ active: true });
    expect(fixture.warnings).toEqual([expect.stringContaining('createLoopManager')]);
    expect(fixture.read()).toContain('active: false');
  });
});

describe('a tracker that another session drives', () => {
  it('is reported when a manager is made for it, and by hasActiveTracker', () => {
    const fixture = anAthenaFixture();
    aTrackerOfTheirs(fixture, CONFIG);
    expect(fixture.warnings).toEqual([expect.stringContaining('another session (claude-code theirs)')]);
    expect(hasActiveTracker(fixture.file, fixture.options)).toBe(false);
    expect(fixture.warnings).toHaveLength(2);
  });

  it.each(['isActive', 'getState', 'evaluate', 'incrementIteration', 'deactivate', 'cleanup', 'settleStop'] as const)(
    'is reported by %s, and left as it is',
    (method) => {
      const fixture = anAthenaFixture();
      const manager = aTrackerOfTheirs(fixture, CONFIG);
      const before = fixture.read();
      for (const other of ['isActive', 'getState'] as const) if (other !== method) manager[other]();
      fixture.warnings.length = 0;
      manager[method]();
      expect(fixture.warnings).toEqual([expect.stringContaining('another session')]);
      expect([fixture.read(), fixture.loops()[0]?.state.status]).toEqual([before, 'running']);
    },
  );

  it('is reported by updateLoopState too', () => {
    const fixture = anAthenaFixture();
    const { updateLoopState } = loopCallbacks(aTrackerOfTheirs(fixture, CONFIG));
    const before = fixture.read();
    fixture.warnings.length = 0;
    updateLoopState({ maxIterations: 50 });
    expect(fixture.warnings.join('\n')).toContain('another session');
    expect(fixture.read()).toBe(before);
  });
});

describe('a session that is resumed', () => {
  it('uses a continueMessage that was changed meanwhile', () => {
    const fixture = anAthenaFixture();
    fixture.manager({ ...CONFIG, continueMessage: 'Old words' }).settleStop();
    const again = fixture.manager({ ...CONFIG, continueMessage: 'New {{GOAL}} words' });
    expect(again.evaluate()).toEqual({ action: 'continue', reason: 'New {{GOAL}} words' });
    expect(again.settleStop()).toEqual({ action: 'continue', reason: 'New {{GOAL}} words' });
    expect(again.getState()).toMatchObject({ iteration: 2, continueMessage: 'New {{GOAL}} words' });
    expect(fixture.loops()).toHaveLength(1);
    expect(fixture.differences()).toBe(0);
  });

  it('uses an edit of the tracker from the same time, too', () => {
    const fixture = anAthenaFixture();
    fixture.manager({ ...CONFIG, maxIterations: 1, continueMessage: 'Old words' }).settleStop();
    fixture.write((fixture.read() ?? '').replace('max_iterations: 1', 'max_iterations: 2'));
    const again = fixture.manager({ ...CONFIG, maxIterations: 1, continueMessage: 'New words' });
    expect(again.settleStop()).toEqual({ action: 'continue', reason: 'New words' });
    expect(again.settleStop()).toEqual({ action: 'stop', reason: 'max iterations reached' });
  });
});

describe('how a loop ended', () => {
  it('is logged once where controller and manager have the same logger', () => {
    const fixture = anAthenaFixture();
    const infos: string[] = [];
    const logger = { info: (line: string) => void infos.push(line), warn: () => {} };
    const manager = fixture.manager({ ...CONFIG, maxIterations: 1 }, { logger });
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
    const fixture = anAthenaFixture();
    const config = { ...CONFIG, maxIterations: 50 };
    const few = fixture.manager(config, { dayTurnsMax: 3 });
    const actions = Array.from({ length: 4 }, () => few.settleStop().action);
    expect(actions.filter((action) => action === 'continue')).toHaveLength(2);
    expect(fixture.infos).toEqual([
      expect.stringContaining(
        '3 of 3 turns used today by the state files of this project; createLoopManager(…, { dayTurnsMax: 15 })',
      ),
    ]);
    expect(fixture.manager(config, { dayTurnsMax: 9 }).settleStop().action).toBe('continue');
    expect(fixture.manager(config, { dayTurnsMax: 0 }).settleStop().action).toBe('continue');
    expect(fixture.warnings).toContainEqual(expect.stringContaining('dayTurnsMax takes a whole number from 1'));
  });

  it.each([
    ['max iterations reached', 0, ''],
    ['completion marker found', 3, '\nE2E_COMPLETE\n'],
  ])('is logged without a logger: %s', (words, maxIterations, body) => {
    const fixture = anAthenaFixture();
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const manager = createLoopManager(fixture.file, { ...CONFIG, maxIterations }, { home: fixture.home });
    fixture.append(body);
    manager.settleStop();
    expect(emitted.mock.calls).toEqual([[expect.stringContaining(words), 'TirelessNotice']]);
    emitted.mockRestore();
  });
});
