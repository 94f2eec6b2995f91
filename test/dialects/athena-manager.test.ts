import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createLoopManager, defaultContinueMessage, hasActiveTracker } from '../../src/facades/athena/index.ts';
import { athena } from '../../src/dialects/athena/dialect.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import { turnEnded } from '../../src/core/event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import { aProject } from '../support/a-project.ts';
import { anAthenaDesk, CONFIG } from '../support/athena-desk.ts';

describe('createLoopManager', () => {
  it('writes the tracker into the folder of its session, with the five keys and the template', () => {
    const desk = anAthenaDesk();
    vi.useFakeTimers({ now: Date.parse('2026-02-25T10:00:00Z'), toFake: ['Date'] });
    desk.manager({ ...CONFIG, trackerTemplate: '# E2E Test Progress\n\n- [ ] All tests passing' });
    vi.useRealTimers();
    expect(desk.file).toBe(path.join(desk.project, '.athena/sessions/s-1/loop-tracker.md'));
    expect(desk.read()).toBe(
      '---\niteration: 0\nmax_iterations: 3\ncompletion_marker: "E2E_COMPLETE"\nactive: true\nstarted_at: "2026-02-25T10:00:00.000Z"\n---\n# E2E Test Progress\n\n- [ ] All tests passing',
    );
  });

  it('uses a minimal body without a template', () => {
    const desk = anAthenaDesk();
    desk.manager();
    expect(desk.read()).toMatch(/---\n# Loop Progress\n\n_In progress_$/u);
  });

  it('starts a loop that is known outside at once, in the session of its folder', () => {
    const desk = anAthenaDesk('my-session');
    desk.manager();
    expect(desk.loops()).toMatchObject([
      {
        spec: {
          dialect: { name: 'athena', file: '.athena/sessions/my-session/loop-tracker.md' },
          goal: 'Loop Progress',
        },
        state: { status: 'running', session: { host: 'athena', id: 'my-session' }, cwd: desk.project },
      },
    ]);
  });

  it('accepts completionPromise and reports it', () => {
    const desk = anAthenaDesk();
    desk.manager({ enabled: true, completionPromise: 'OLD_WORD', maxIterations: 3 });
    expect(desk.read()).toContain('completion_marker: "OLD_WORD"');
    expect(desk.warnings).toEqual([expect.stringContaining('completionMarker')]);
  });

  it('does nothing where the loop is not enabled', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, enabled: false });
    expect([desk.read(), manager.isActive(), manager.getState(), manager.evaluate().action]).toEqual([
      undefined,
      false,
      null,
      'stop',
    ]);
  });

  it('warns of a template that holds the marker already', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, trackerTemplate: 'Write E2E_COMPLETE here.' });
    expect(desk.warnings).toEqual([expect.stringContaining('first stop')]);
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'completion marker found' });
  });

  it('continues an active tracker after a restart, with its counter and its body', () => {
    const desk = anAthenaDesk();
    desk.manager().incrementIteration();
    desk.append('\nnotes of the agent\n');
    const again = desk.manager();
    expect(again.getState()).toMatchObject({ active: true, iteration: 1 });
    again.incrementIteration();
    expect(desk.read()).toMatch(/iteration: 2[\s\S]*notes of the agent\n$/u);
    expect(desk.loops()).toHaveLength(1);
  });

  it('takes over an active tracker that it has never seen', () => {
    const desk = anAthenaDesk();
    mkdirSync(path.dirname(desk.file), { recursive: true });
    const text = '---\niteration: 2\nmax_iterations: 5\ncompletion_marker: "E2E_COMPLETE"\nactive: true\n---\n# Mine\n';
    desk.write(text);
    const manager = desk.manager({ ...CONFIG, completionMarker: 'OTHER', maxIterations: 99 });
    expect(desk.read()).toBe(text);
    expect(desk.loops()).toMatchObject([{ state: { status: 'running', counted: 2 } }]);
    expect(manager.getState()).toMatchObject({ iteration: 2, maxIterations: 5, completionMarker: 'E2E_COMPLETE' });
    manager.incrementIteration();
    expect(manager.getState()).toMatchObject({ iteration: 3 });
  });

  it('starts anew where the last loop is over, and keeps what was written', () => {
    const desk = anAthenaDesk();
    desk.manager().deactivate();
    const ended = desk.read();
    expect(hasActiveTracker(desk.file, desk.options)).toBe(false);
    expect(desk.manager().getState()).toMatchObject({ active: true, iteration: 0 });
    expect(hasActiveTracker(desk.file, desk.options)).toBe(true);
    expect(desk.archived()).toEqual([ended]);
    expect(
      desk
        .loops()
        .map(({ state }) => state.status)
        .toSorted(),
    ).toEqual(['cancelled', 'running']);
  });

  it('knows a tracker that the power kept from being switched off, and starts anew', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    desk.append('\nE2E_COMPLETE\n');
    const before = desk.read() ?? '';
    const { mtime } = statSync(desk.file);
    manager.settleStop();
    desk.write(before);
    utimesSync(desk.file, mtime, mtime);
    expect([manager.isActive(), hasActiveTracker(desk.file, desk.options)]).toEqual([false, false]);
    expect(desk.manager().getState()).toMatchObject({ active: true, iteration: 0 });
    expect(desk.archived()).toEqual([before]);
  });

  it('counts on from the journal where the power kept the counter from being written', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    const before = desk.read() ?? '';
    manager.settleStop();
    desk.write(before);
    // As it was before the stop: what is written after it is a new tracker.
    utimesSync(desk.file, 0, 0);
    expect(manager.getState()).toMatchObject({ iteration: 1 });
    manager.settleStop();
    expect(desk.read()).toBe(before.replace('iteration: 0', 'iteration: 2'));
  });

  it('keeps an ended tracker that no loop knows beside the new one', () => {
    const desk = anAthenaDesk();
    mkdirSync(path.dirname(desk.file), { recursive: true });
    desk.write('---\nactive: false\ncompletion_marker: X\n---\nold notes');
    desk.manager();
    const beside = readdirSync(path.dirname(desk.file)).find((name) => name.includes('before'));
    expect(readFileSync(path.join(path.dirname(desk.file), beside ?? ''), 'utf8')).toContain('old notes');
  });

  it('leaves a file alone that it cannot read, and has no loop until it is repaired', () => {
    const desk = anAthenaDesk();
    mkdirSync(path.dirname(desk.file), { recursive: true });
    desk.write('my own notes');
    const manager = desk.manager();
    expect([manager.isActive(), manager.settleStop().action, desk.read()]).toEqual([false, 'stop', 'my own notes']);
    manager.cleanup();
    expect(desk.read()).toBe('my own notes');
    expect(desk.warnings.join('\n')).toContain('front matter');
  });

  it('works for a tracker anywhere, and finds its loop again there', () => {
    const folder = aProject();
    const desk = anAthenaDesk();
    const file = path.join(folder, 'tracker.md');
    createLoopManager(file, CONFIG, desk.options).incrementIteration();
    expect(createLoopManager(file, CONFIG, desk.options).getState()).toMatchObject({ iteration: 1 });
    expect(desk.loops()).toMatchObject([{ state: { cwd: folder, session: { host: 'athena', id: file } } }]);
  });
});

describe('LoopManager', () => {
  it('says where the loop stands, from disk, each time', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, continueMessage: 'Keep going' });
    expect(manager.getState()).toEqual({
      active: true,
      iteration: 0,
      maxIterations: 3,
      completionMarker: 'E2E_COMPLETE',
      continueMessage: 'Keep going',
      trackerContent: '# Loop Progress\n\n_In progress_',
    });
    desk.append('\nmore');
    expect(manager.getState()?.trackerContent).toBe('# Loop Progress\n\n_In progress_\nmore');
    expect(desk.manager().getState()?.continueMessage).toBe(
      defaultContinueMessage('.athena/sessions/s-1/loop-tracker.md', 'E2E_COMPLETE'),
    );
  });

  it('evaluates without changing anything', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, continueMessage: 'Keep going' });
    const before = desk.read();
    expect([manager.evaluate(), manager.evaluate()]).toEqual(
      Array.from({ length: 2 }, () => ({ action: 'continue', reason: 'Keep going' })),
    );
    desk.append('E2E_COMPLETE');
    expect(manager.evaluate()).toEqual({ action: 'stop', reason: 'completion marker found' });
    expect(desk.read()).toBe(`${before}E2E_COMPLETE`);
    expect(manager.isActive()).toBe(true);
    expect(desk.infos).toEqual([]);
  });

  it('counts only the iteration when a stop is blocked, and touches nothing else', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    const before = desk.read() ?? '';
    manager.incrementIteration();
    expect(desk.read()).toBe(before.replace('iteration: 0', 'iteration: 1'));
    manager.incrementIteration();
    expect(desk.read()).toBe(before.replace('iteration: 0', 'iteration: 2'));
  });

  it('stops at the limit, no matter who counts, logs it, and switches the tracker off', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, maxIterations: 2 });
    manager.incrementIteration();
    manager.incrementIteration();
    expect(manager.evaluate()).toEqual({ action: 'stop', reason: 'max iterations reached' });
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'max iterations reached' });
    expect(manager.getState()).toMatchObject({ active: false, iteration: 2 });
    expect(desk.infos).toEqual([expect.stringContaining('max iterations reached')]);
    manager.incrementIteration();
    expect(manager.getState()).toMatchObject({ active: false, iteration: 2 });
    expect(desk.loops()).toMatchObject([{ state: { outcome: { kind: 'halted', guard: 'iterations-max' } } }]);
    expect(desk.differences()).toBe(0);
  });

  it('is complete when the marker is in the body, logs it, and switches the tracker off', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    manager.settleStop();
    desk.append('\nE2E_COMPLETE\n');
    const before = desk.read() ?? '';
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'completion marker found' });
    expect(desk.read()).toBe(before.replace('active: true', 'active: false'));
    expect(desk.infos).toEqual([expect.stringContaining('completion marker found')]);
    expect(desk.loops()).toMatchObject([{ state: { outcome: { kind: 'completed', verified: false } } }]);
  });

  it('tells the journal why it was deactivated', () => {
    const desk = anAthenaDesk();
    desk.manager().deactivate();
    const other = anAthenaDesk();
    const manager = other.manager();
    other.append('E2E_COMPLETE');
    manager.deactivate();
    expect(desk.loops()[0]?.state.status).toBe('cancelled');
    expect(other.loops()[0]?.state.status).toBe('completed');
    expect([desk.read(), other.read()].every((text) => text?.includes('active: false'))).toBe(true);
  });

  it('fails open with a warning when the tracker is deleted in the middle', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    manager.settleStop();
    desk.remove();
    expect([manager.getState(), manager.isActive(), manager.getState()]).toEqual([null, false, null]);
    expect(desk.warnings).toEqual([expect.stringContaining('gone')]);
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'the tracker file is gone' });
    expect(manager.settleStop().action).toBe('stop');
    expect(desk.read()).toBeUndefined();
    expect(desk.loops()[0]?.state.status).toBe('cancelled');
  });

  it('fails open with a warning while the tracker cannot be parsed, and continues when it can', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    const good = desk.read() ?? '';
    desk.write('half wri');
    expect([manager.getState(), manager.evaluate().action, manager.settleStop().action]).toEqual([
      null,
      'stop',
      'stop',
    ]);
    expect(desk.warnings.length).toBeGreaterThan(0);
    expect(desk.read()).toBe('half wri');
    desk.write(good);
    expect(manager.settleStop().action).toBe('continue');
  });

  it.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)(
    'fails open with a warning while the tracker cannot be read',
    () => {
      const desk = anAthenaDesk();
      const manager = desk.manager();
      chmodSync(desk.file, 0o000);
      expect([manager.getState(), manager.settleStop().action]).toEqual([null, 'stop']);
      expect(desk.warnings[0]).toContain(desk.file);
      chmodSync(desk.file, 0o600);
      expect(manager.settleStop().action).toBe('continue');
    },
  );

  it('fails open with a warning when something else is in the place of the tracker', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    desk.remove();
    mkdirSync(desk.file);
    expect([manager.getState(), manager.evaluate().action, manager.settleStop().action]).toEqual([
      null,
      'stop',
      'stop',
    ]);
    expect(desk.warnings.join('\n')).toContain(desk.file);
  });

  it('fails open with a warning when loops cannot be kept', () => {
    const desk = anAthenaDesk();
    const home = path.join(aProject({ occupied: '' }), 'occupied');
    const manager = desk.manager(CONFIG, { home });
    expect([manager.isActive(), manager.settleStop().action, manager.evaluate().action]).toEqual([
      false,
      'stop',
      'stop',
    ]);
    expect(desk.warnings[0]).toContain('HOME');
  });

  it('heeds a hand edit at the very next stop', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager({ ...CONFIG, maxIterations: 1 });
    manager.settleStop();
    desk.write((desk.read() ?? '').replace('max_iterations: 1', 'max_iterations: 2 # one more'));
    expect(manager.settleStop().action).toBe('continue');
    desk.write((desk.read() ?? '').replace('active: true', 'active: false'));
    expect(manager.settleStop().action).toBe('stop');
    expect(desk.read()).toContain('max_iterations: 2 # one more');
  });

  it('removes the tracker at the end and keeps its text in the history of the loop', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    desk.append('\nwhat I learned\n');
    manager.cleanup();
    expect(existsSync(desk.file)).toBe(false);
    expect(desk.archived()).toEqual([expect.stringContaining('what I learned')]);
    expect(desk.loops()[0]?.state.status).toBe('cancelled');
    expect([manager.isActive(), manager.settleStop().action]).toEqual([false, 'stop']);
    manager.cleanup();
    expect(desk.manager().getState()).toMatchObject({ active: true, iteration: 0 });
    expect(desk.differences()).toBe(0);
  });

  it('leaves a tracker alone that a session of another host drives', () => {
    const desk = anAthenaDesk();
    mkdirSync(path.dirname(desk.file), { recursive: true });
    desk.write('---\nmax_iterations: 5\ncompletion_marker: X\nactive: true\n---\nbody');
    const live = { dialect: athena, path: desk.file };
    const other = { live, cwd: desk.project, file: 'x', session: { host: 'claude-code', id: 'theirs' } };
    openEmbeddedEngine({ home: desk.home }).run(handleDialectEvent(other, turnEnded(), {}));
    const text = desk.read();
    const manager = desk.manager();
    expect(manager.settleStop().action).toBe('stop');
    manager.deactivate();
    manager.cleanup();
    expect([desk.read(), desk.loops()[0]?.state.status]).toEqual([text, 'running']);
    expect(desk.warnings.at(-1)).toContain('another session');
  });

  it('has nothing to remove when the tracker is gone already', () => {
    const desk = anAthenaDesk();
    const manager = desk.manager();
    desk.remove();
    manager.cleanup();
    expect(desk.warnings).toEqual([]);
    expect(desk.archived()).toEqual([]);
  });

  it('asks the checks of the user too, and a marker alone does not pass them', () => {
    const desk = anAthenaDesk();
    let result: 'failed' | 'passed' = 'failed';
    const check = { name: 'tests', probe: { kind: 'command', command: 'x' }, timeoutMs: 1, holdout: false } as const;
    const manager = desk.manager(CONFIG, {
      extras: { checks: [check] },
      probe: ({ requests }) =>
        requests.map((request) =>
          request.kind === 'check'
            ? { kind: 'check', result: { name: request.check.name, result, durationMs: 1, tail: 'red' } }
            : { kind: 'workspace', fingerprint: null },
        ),
    });
    desk.append('E2E_COMPLETE');
    expect(manager.settleStop()).toMatchObject({ action: 'continue', reason: expect.stringContaining('tests') });
    result = 'passed';
    expect(manager.settleStop().action).toBe('stop');
    expect(desk.loops()[0]?.state.outcome).toEqual({ kind: 'completed', verified: true });
  });
});
