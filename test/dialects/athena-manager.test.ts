import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createLoopManager, defaultContinueMessage, hasActiveTracker } from '../../src/facades/athena/index.ts';
import { athena } from '../../src/dialects/athena/dialect.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import { turnEnded } from '../../src/core/event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import { aProject } from '../support/a-project.ts';
import { anAthenaFixture, CONFIG } from '../support/athena-fixture.ts';

describe('createLoopManager', () => {
  it('writes the tracker into the folder of its session, with the five keys and the template', () => {
    const fixture = anAthenaFixture();
    vi.useFakeTimers({ now: Date.parse('2026-02-25T10:00:00Z'), toFake: ['Date'] });
    fixture.manager({ ...CONFIG, trackerTemplate: '# E2E Test Progress\n\n- [ ] All tests passing' });
    vi.useRealTimers();
    expect(fixture.file).toBe(path.join(fixture.project, '.athena/sessions/s-1/loop-tracker.md'));
    expect(fixture.read()).toBe(
      '---\niteration: 0\nmax_iterations: 3\ncompletion_marker: "E2E_COMPLETE"\nactive: true\nstarted_at: "2026-02-25T10:00:00.000Z"\n---\n# E2E Test Progress\n\n- [ ] All tests passing',
    );
  });

  it('uses a minimal body without a template', () => {
    const fixture = anAthenaFixture();
    fixture.manager();
    expect(fixture.read()).toMatch(/---\n# Loop Progress\n\n_In progress_$/u);
  });

  it('starts a loop that is known outside at once, in the session of its folder', () => {
    const fixture = anAthenaFixture('my-session');
    fixture.manager();
    expect(fixture.loops()).toMatchObject([
      {
        spec: {
          dialect: { name: 'athena', file: '.athena/sessions/my-session/loop-tracker.md' },
          goal: 'Loop Progress',
        },
        state: { status: 'running', session: { host: 'athena', id: 'my-session' }, cwd: fixture.project },
      },
    ]);
  });

  it('accepts completionPromise and reports it', () => {
    const fixture = anAthenaFixture();
    fixture.manager({ enabled: true, completionPromise: 'OLD_WORD', maxIterations: 3 });
    expect(fixture.read()).toContain('completion_marker: "OLD_WORD"');
    expect(fixture.warnings).toEqual([expect.stringContaining('completionMarker')]);
  });

  it('does nothing where the loop is not enabled', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, enabled: false });
    expect([fixture.read(), manager.isActive(), manager.getState(), manager.evaluate().action]).toEqual([
      undefined,
      false,
      null,
      'stop',
    ]);
  });

  it('warns of a template that holds the marker already', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, trackerTemplate: 'Write E2E_COMPLETE here.' });
    expect(fixture.warnings).toEqual([expect.stringContaining('first stop')]);
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'completion marker found' });
  });

  it('continues an active tracker after a restart, with its counter and its body', () => {
    const fixture = anAthenaFixture();
    fixture.manager().incrementIteration();
    fixture.append('\nnotes of the agent\n');
    const again = fixture.manager();
    expect(again.getState()).toMatchObject({ active: true, iteration: 1 });
    again.incrementIteration();
    expect(fixture.read()).toMatch(/iteration: 2[\s\S]*notes of the agent\n$/u);
    expect(fixture.loops()).toHaveLength(1);
  });

  it('takes over an active tracker that it has never seen', () => {
    const fixture = anAthenaFixture();
    mkdirSync(path.dirname(fixture.file), { recursive: true });
    const text = '---\niteration: 2\nmax_iterations: 5\ncompletion_marker: "E2E_COMPLETE"\nactive: true\n---\n# Mine\n';
    fixture.write(text);
    const manager = fixture.manager({ ...CONFIG, completionMarker: 'OTHER', maxIterations: 99 });
    expect(fixture.read()).toBe(text);
    expect(fixture.loops()).toMatchObject([{ state: { status: 'running', counted: 2 } }]);
    expect(manager.getState()).toMatchObject({ iteration: 2, maxIterations: 5, completionMarker: 'E2E_COMPLETE' });
    manager.incrementIteration();
    expect(manager.getState()).toMatchObject({ iteration: 3 });
  });

  it('starts anew where the last loop is over, and keeps what was written', () => {
    const fixture = anAthenaFixture();
    fixture.manager().deactivate();
    const ended = fixture.read();
    expect(hasActiveTracker(fixture.file, fixture.options)).toBe(false);
    expect(fixture.manager().getState()).toMatchObject({ active: true, iteration: 0 });
    expect(hasActiveTracker(fixture.file, fixture.options)).toBe(true);
    expect(fixture.archived()).toEqual([ended]);
    expect(
      fixture
        .loops()
        .map(({ state }) => state.status)
        .toSorted(),
    ).toEqual(['cancelled', 'running']);
  });

  it('knows a tracker that the power kept from being switched off, and starts anew', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    fixture.append('\nE2E_COMPLETE\n');
    const before = fixture.read() ?? '';
    const { mtime } = statSync(fixture.file);
    manager.settleStop();
    fixture.write(before);
    utimesSync(fixture.file, mtime, mtime);
    expect([manager.isActive(), hasActiveTracker(fixture.file, fixture.options)]).toEqual([false, false]);
    expect(fixture.manager().getState()).toMatchObject({ active: true, iteration: 0 });
    expect(fixture.archived()).toEqual([before]);
  });

  it('counts on from the journal where the power kept the counter from being written', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    const before = fixture.read() ?? '';
    manager.settleStop();
    fixture.write(before);
    // As it was before the stop: what is written after it is a new tracker.
    utimesSync(fixture.file, 0, 0);
    expect(manager.getState()).toMatchObject({ iteration: 1 });
    manager.settleStop();
    expect(fixture.read()).toBe(before.replace('iteration: 0', 'iteration: 2'));
  });

  it('keeps an ended tracker that no loop knows beside the new one', () => {
    const fixture = anAthenaFixture();
    mkdirSync(path.dirname(fixture.file), { recursive: true });
    fixture.write('---\nactive: false\ncompletion_marker: X\n---\nold notes');
    fixture.manager();
    const beside = readdirSync(path.dirname(fixture.file)).find((name) => name.includes('before'));
    expect(readFileSync(path.join(path.dirname(fixture.file), beside ?? ''), 'utf8')).toContain('old notes');
  });

  it('leaves a file alone that it cannot read, and has no loop until it is repaired', () => {
    const fixture = anAthenaFixture();
    mkdirSync(path.dirname(fixture.file), { recursive: true });
    fixture.write('my own notes');
    const manager = fixture.manager();
    expect([manager.isActive(), manager.settleStop().action, fixture.read()]).toEqual([false, 'stop', 'my own notes']);
    manager.cleanup();
    expect(fixture.read()).toBe('my own notes');
    expect(fixture.warnings.join('\n')).toContain('front matter');
  });

  it('works for a tracker anywhere, and finds its loop again there', () => {
    const folder = aProject();
    const fixture = anAthenaFixture();
    const file = path.join(folder, 'tracker.md');
    createLoopManager(file, CONFIG, fixture.options).incrementIteration();
    expect(createLoopManager(file, CONFIG, fixture.options).getState()).toMatchObject({ iteration: 1 });
    expect(fixture.loops()).toMatchObject([{ state: { cwd: folder, session: { host: 'athena', id: file } } }]);
  });
});

describe('LoopManager', () => {
  it('says where the loop stands, from disk, each time', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, continueMessage: 'Keep going' });
    expect(manager.getState()).toEqual({
      active: true,
      iteration: 0,
      maxIterations: 3,
      completionMarker: 'E2E_COMPLETE',
      continueMessage: 'Keep going',
      trackerContent: '# Loop Progress\n\n_In progress_',
    });
    fixture.append('\nmore');
    expect(manager.getState()?.trackerContent).toBe('# Loop Progress\n\n_In progress_\nmore');
    expect(fixture.manager().getState()?.continueMessage).toBe(
      defaultContinueMessage('.athena/sessions/s-1/loop-tracker.md', 'E2E_COMPLETE'),
    );
  });

  it('evaluates without changing anything', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, continueMessage: 'Keep going' });
    const before = fixture.read();
    expect([manager.evaluate(), manager.evaluate()]).toEqual(
      Array.from({ length: 2 }, () => ({ action: 'continue', reason: 'Keep going' })),
    );
    fixture.append('E2E_COMPLETE');
    expect(manager.evaluate()).toEqual({ action: 'stop', reason: 'completion marker found' });
    expect(fixture.read()).toBe(`${before}E2E_COMPLETE`);
    expect(manager.isActive()).toBe(true);
    expect(fixture.infos).toEqual([]);
  });

  it('counts only the iteration when a stop is blocked, and touches nothing else', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    const before = fixture.read() ?? '';
    manager.incrementIteration();
    expect(fixture.read()).toBe(before.replace('iteration: 0', 'iteration: 1'));
    manager.incrementIteration();
    expect(fixture.read()).toBe(before.replace('iteration: 0', 'iteration: 2'));
  });

  it('stops at the limit, no matter who counts, logs it, and switches the tracker off', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, maxIterations: 2 });
    manager.incrementIteration();
    manager.incrementIteration();
    expect(manager.evaluate()).toEqual({ action: 'stop', reason: 'max iterations reached' });
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'max iterations reached' });
    expect(manager.getState()).toMatchObject({ active: false, iteration: 2 });
    expect(fixture.infos).toEqual([expect.stringContaining('max iterations reached')]);
    manager.incrementIteration();
    expect(manager.getState()).toMatchObject({ active: false, iteration: 2 });
    expect(fixture.loops()).toMatchObject([{ state: { outcome: { kind: 'halted', guard: 'iterations-max' } } }]);
    expect(fixture.differences()).toBe(0);
  });

  it('is complete when the marker is in the body, logs it, and switches the tracker off', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    manager.settleStop();
    fixture.append('\nE2E_COMPLETE\n');
    const before = fixture.read() ?? '';
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'completion marker found' });
    expect(fixture.read()).toBe(before.replace('active: true', 'active: false'));
    expect(fixture.infos).toEqual([expect.stringContaining('completion marker found')]);
    expect(fixture.loops()).toMatchObject([{ state: { outcome: { kind: 'completed', verified: false } } }]);
  });

  it('tells the journal why it was deactivated', () => {
    const fixture = anAthenaFixture();
    fixture.manager().deactivate();
    const other = anAthenaFixture();
    const manager = other.manager();
    other.append('E2E_COMPLETE');
    manager.deactivate();
    expect(fixture.loops()[0]?.state.status).toBe('cancelled');
    expect(other.loops()[0]?.state.status).toBe('completed');
    expect([fixture.read(), other.read()].every((text) => text?.includes('active: false'))).toBe(true);
  });

  it('fails open with a warning when the tracker is deleted in the middle', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    manager.settleStop();
    fixture.remove();
    expect([manager.getState(), manager.isActive(), manager.getState()]).toEqual([null, false, null]);
    expect(fixture.warnings).toEqual([expect.stringContaining('gone')]);
    expect(manager.settleStop()).toEqual({ action: 'stop', reason: 'the tracker file is gone' });
    expect(manager.settleStop().action).toBe('stop');
    expect(fixture.read()).toBeUndefined();
    expect(fixture.loops()[0]?.state.status).toBe('cancelled');
  });

  it('fails open with a warning while the tracker cannot be parsed, and continues when it can', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    const good = fixture.read() ?? '';
    fixture.write('half wri');
    expect([manager.getState(), manager.evaluate().action, manager.settleStop().action]).toEqual([
      null,
      'stop',
      'stop',
    ]);
    expect(fixture.warnings.length).toBeGreaterThan(0);
    expect(fixture.read()).toBe('half wri');
    fixture.write(good);
    expect(manager.settleStop().action).toBe('continue');
  });

  it.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)(
    'fails open with a warning while the tracker cannot be read',
    () => {
      const fixture = anAthenaFixture();
      const manager = fixture.manager();
      chmodSync(fixture.file, 0o000);
      expect([manager.getState(), manager.settleStop().action]).toEqual([null, 'stop']);
      expect(fixture.warnings[0]).toContain(fixture.file);
      chmodSync(fixture.file, 0o600);
      expect(manager.settleStop().action).toBe('continue');
    },
  );

  it('fails open with a warning when something else is in the place of the tracker', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    fixture.remove();
    mkdirSync(fixture.file);
    expect([manager.getState(), manager.evaluate().action, manager.settleStop().action]).toEqual([
      null,
      'stop',
      'stop',
    ]);
    expect(fixture.warnings.join('\n')).toContain(fixture.file);
  });

  it('fails open with a warning when loops cannot be kept', () => {
    const fixture = anAthenaFixture();
    const home = path.join(aProject({ occupied: '' }), 'occupied');
    const manager = fixture.manager(CONFIG, { home });
    expect([manager.isActive(), manager.settleStop().action, manager.evaluate().action]).toEqual([
      false,
      'stop',
      'stop',
    ]);
    expect(fixture.warnings[0]).toContain('HOME');
  });

  it('heeds a hand edit at the very next stop', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, maxIterations: 1 });
    manager.settleStop();
    fixture.write((fixture.read() ?? '').replace('max_iterations: 1', 'max_iterations: 2 # one more'));
    expect(manager.settleStop().action).toBe('continue');
    fixture.write((fixture.read() ?? '').replace('active: true', 'active: false'));
    expect(manager.settleStop().action).toBe('stop');
    expect(fixture.read()).toContain('max_iterations: 2 # one more');
  });

  it('removes the tracker at the end and keeps its text in the history of the loop', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    fixture.append('\nwhat I learned\n');
    manager.cleanup();
    expect(existsSync(fixture.file)).toBe(false);
    expect(fixture.archived()).toEqual([expect.stringContaining('what I learned')]);
    expect(fixture.loops()[0]?.state.status).toBe('cancelled');
    expect([manager.isActive(), manager.settleStop().action]).toEqual([false, 'stop']);
    manager.cleanup();
    expect(fixture.manager().getState()).toMatchObject({ active: true, iteration: 0 });
    expect(fixture.differences()).toBe(0);
  });

  it('leaves a tracker alone that a session of another host drives', () => {
    const fixture = anAthenaFixture();
    mkdirSync(path.dirname(fixture.file), { recursive: true });
    fixture.write('---\nmax_iterations: 5\ncompletion_marker: X\nactive: true\n---\nbody');
    const live = { dialect: athena, path: fixture.file };
    const other = { live, cwd: fixture.project, file: 'x', session: { host: 'claude-code', id: 'theirs' } };
    openEmbeddedEngine({ home: fixture.home }).run(handleDialectEvent(other, turnEnded(), {}));
    const text = fixture.read();
    const manager = fixture.manager();
    expect(manager.settleStop().action).toBe('stop');
    manager.deactivate();
    manager.cleanup();
    expect([fixture.read(), fixture.loops()[0]?.state.status]).toEqual([text, 'running']);
    expect(fixture.warnings.at(-1)).toContain('another session');
  });

  it('has nothing to remove when the tracker is gone already', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    fixture.remove();
    manager.cleanup();
    expect(fixture.warnings).toEqual([]);
    expect(fixture.archived()).toEqual([]);
  });

  it('asks the checks of the user too, and a marker alone does not pass them', () => {
    const fixture = anAthenaFixture();
    let result: 'failed' | 'passed' = 'failed';
    const check = { name: 'tests', probe: { kind: 'command', command: 'x' }, timeoutMs: 1, holdout: false } as const;
    const manager = fixture.manager(CONFIG, {
      extras: { checks: [check] },
      probe: ({ requests }) =>
        requests.map((request) =>
          request.kind === 'check'
            ? { kind: 'check', result: { name: request.check.name, result, durationMs: 1, tail: 'red' } }
            : { kind: 'workspace', fingerprint: null },
        ),
    });
    fixture.append('E2E_COMPLETE');
    expect(manager.settleStop()).toMatchObject({ action: 'continue', reason: expect.stringContaining('tests') });
    result = 'passed';
    expect(manager.settleStop().action).toBe('stop');
    expect(fixture.loops()[0]?.state.outcome).toEqual({ kind: 'completed', verified: true });
  });
});
