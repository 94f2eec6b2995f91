import { describe, expect, it } from 'vitest';
import { aCheck, aSpec } from '../../test/support/a-loop.ts';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import type { Limits } from '../core/loop.ts';
import { continueInSession } from './continue-loop.ts';
import { handleEvent } from './handle-event.ts';
import { postToWaiting } from './obey-file.ts';
import { runSync } from './pipeline.ts';
import type { Loaded } from './ports.ts';
import { startLoop } from './start-loop.ts';

const NAME = '.stravinsky/continuation-loop.md';
const FILE = `/project/${NAME}`;
const OTHER = { host: 'claude-code', id: 'session-2' };
const text = (count: number, maximum: number): string =>
  `---\niteration_count: ${count}\nmax_iterations: ${maximum}\ncompletion_promise: GREEN\nactive: true\n---\nmine\n`;

/** Stopped twice in `session-1`. */
function aLoopInAFile() {
  const world = aDialectWorld(stravinsky);
  world.files.set(FILE, text(1, 9));
  world.stop(NAME, 'not yet');
  world.stop(NAME, 'still not');
  const found = (): Loaded => {
    const loaded = world.loop(NAME);
    if (loaded === undefined) throw new Error('the loop is gone');
    return loaded;
  };
  const live = { dialect: stravinsky, path: FILE };
  const continued = (limits: Partial<Limits>, session = OTHER) =>
    runSync(continueInSession(found(), session, live, { limits }), world.effects);
  const pause = (): void => void world.post(NAME, { kind: 'pause-requested' });
  const steer = (): void => void world.post(NAME, { kind: 'steering-given', text: 'hurry' });
  return { files: world.files, found, continued, pause, steer };
}

describe('a loop in a state file that continues in another session', () => {
  it('has the new maximum in its file, too', () => {
    const { files, found, continued } = aLoopInAFile();
    const { iterationsMax } = found().state.limits;
    expect(iterationsMax).toBe(8);
    continued({ iterationsMax: 20 });
    expect(found().state).toMatchObject({ status: 'running', session: OTHER, limits: { iterationsMax: 20 } });
    expect(files.get(FILE)).toBe(text(3, 21));
  });

  it.each(['running', 'paused'] as const)(
    'stays where it is when it is %s and has used up the new maximum',
    (status) => {
      const { files, found, continued, pause } = aLoopInAFile();
      if (status === 'paused') pause();
      const before = found().state;
      const file = files.get(FILE);
      expect(() => continued({ iterationsMax: 1 })).toThrow('cannot continue');
      expect([found().state, files.get(FILE)]).toEqual([before, file]);
    },
  );

  it('stays paused when it is resumed in its own session and has used up the new maximum', () => {
    const { found, continued, pause } = aLoopInAFile();
    pause();
    expect(() => continued({ iterationsMax: 1 }, { ...OTHER, id: 'session-1' })).toThrow('cannot continue');
    expect(found().state.status).toBe('paused');
  });

  it('continues within a maximum that was just written into its file', () => {
    const { files, found, continued, pause, steer } = aLoopInAFile();
    pause();
    const edited = (maximum: number): string =>
      (files.get(FILE) ?? '').replace(/max_iterations: \d+/u, `max_iterations: ${maximum}`);
    files.set(FILE, edited(2));
    steer();
    expect(() => continued({})).toThrow('cannot continue');
    files.set(FILE, edited(40));
    continued({});
    expect(found().state).toMatchObject({ status: 'running', session: OTHER });
  });

  it('begins at its next stop, with the checks of the hook, when it was paused before its first', () => {
    const world = aDialectWorld(stravinsky);
    world.files.set(FILE, text(1, 9));
    const live = { dialect: stravinsky, path: FILE };
    const reading = stravinsky.read(text(1, 9));
    if (reading.kind !== 'loop') throw new Error('the file is not a loop');
    const place = { live, cwd: '/project', file: NAME, session: OTHER };
    const paused = runSync(postToWaiting(place, reading, { kind: 'pause-requested' }), world.effects);
    const { loaded, prompt } = runSync(continueInSession(paused, OTHER, live), world.effects);
    expect(loaded.state).toMatchObject({ status: 'pending', session: OTHER });
    expect(prompt).toContain('mine');
    world.stop(NAME, 'not yet', OTHER.id, { checks: [aCheck('unit')] });
    expect(world.loop(NAME)?.spec.checks.map(({ name }) => name)).toContain('unit');
    expect(world.loop(NAME)?.state.status).toBe('running');
  });
});

describe('a loop that was paused before its checks were run once', () => {
  const paused = () => {
    const { effects } = aDialectWorld(stravinsky);
    const session = { host: 'claude-code', id: 's' };
    const spec = aSpec({ driver: 'session', checks: [aCheck('unit')] });
    runSync(startLoop({ loop: 'armed', spec, session, cwd: '/project', machine: 'm' }), effects);
    const { loaded } = runSync(handleEvent('armed', { kind: 'pause-requested' }), effects);
    if (loaded?.state.status !== 'paused') throw new Error('the loop is not paused');
    return { effects, session, loaded };
  };

  it.each(['its own', 'another'])('begins when it is resumed in %s session', (which) => {
    const { effects, session, loaded } = paused();
    const target = which === 'another' ? OTHER : session;
    const continued = runSync(continueInSession(loaded, target), effects);
    expect(continued.loaded.state).toMatchObject({ status: 'running', session: target, counted: 0 });
    expect(continued.prompt).toContain(continued.loaded.spec.goal);
  });

  it('is refused with the reason when it was cancelled in the meantime', () => {
    const { effects, session, loaded } = paused();
    runSync(handleEvent('armed', { kind: 'cancel-requested' }), effects);
    expect(() => runSync(continueInSession(loaded, session), effects)).toThrow('cannot continue here (ended)');
  });
});
