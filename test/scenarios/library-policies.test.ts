import { describe, expect, it } from 'vitest';
import type { AsyncEffects, Loaded, OptionSource, Pruner, ReleasePorts, Store } from '../../src/index.ts';
import {
  answerable,
  answerEvent,
  buildSpec,
  cancellingUnrunnable,
  chooseLoop,
  embeddedControl,
  embeddedEffects,
  findAgentCaller,
  lowerLimits,
  moveToSession,
  nextDriver,
  openLoopsInProject,
  openMemoryStore,
  peopleOnlyIn,
  planPrune,
  postFromOutside,
  prunePlanned,
  refuseMove,
  releaseIfEnded,
  resumable,
  resumeLoop,
  runAsync,
  startImported,
  withUniqueNames,
} from '../../src/index.ts';
import { aCheck, aResult, aSpec } from '../support/a-loop.ts';
import { fakeClock } from '../support/fake-clock.ts';

const SESSION = { host: 'my-agent', id: 's1' } as const;
const OTHER = { host: 'my-agent', id: 's2' } as const;

type Library = {
  readonly store: Store;
  readonly effects: AsyncEffects;
  readonly control: ReturnType<typeof embeddedControl>;
};

/** Each check of this library answers that it cannot be run. */
function aLibrary(): Library {
  const store = openMemoryStore();
  const world = {
    readClock: fakeClock().read,
    probe: ({ requests }: Parameters<AsyncEffects['probe']>[0]) =>
      requests.map((request) =>
        request.kind === 'check'
          ? ({ kind: 'check', result: aResult(request.check.name, 'unknown', { unknown: 'not-runnable' }) } as const)
          : ({ kind: 'workspace', fingerprint: 'f' } as const),
      ),
  };
  return { store, effects: embeddedEffects(store, world), control: embeddedControl(store, world) };
}

async function started(
  control: Library['control'],
  loop: string,
  spec = aSpec({ driver: 'session' }),
): Promise<Loaded> {
  return control.start({
    loop,
    spec,
    session: spec.driver === 'session' ? SESSION : null,
    cwd: '/project',
    machine: 'm',
  });
}

describe('a program that holds loops with the library', () => {
  it('finds the loop that is meant, and says why none is', async () => {
    const { store, control } = aLibrary();
    await started(control, 'loop-1');
    const query = { isHere: (folder: string) => folder === '/project', fits: () => true };
    expect(chooseLoop(store, { ...query, given: 'loop' })).toMatchObject({ kind: 'chosen' });
    expect(chooseLoop(store, { ...query, given: 'other' })).toEqual({ kind: 'not-found', given: 'other' });
    expect(chooseLoop(store, { ...query, given: undefined, fits: () => false })).toEqual({ kind: 'none-fits' });
    expect(openLoopsInProject('my-agent', '/project', store)).toHaveLength(1);
  });

  it('moves a loop of a session, and not one whose agents it starts itself', async () => {
    const { control, effects } = aLibrary();
    const loaded = await started(control, 'loop-1');
    await runAsync(refuseMove(loaded, OTHER), effects);
    expect((await runAsync(moveToSession(loaded, OTHER), effects)).loaded?.state.session).toEqual(OTHER);
    const moved = await control.get('loop-1');
    if (moved === undefined) throw new Error('the loop is gone');
    const again = await runAsync(moveToSession(moved, OTHER), effects);
    expect([again.decision, again.loaded?.head]).toEqual([{ kind: 'record' }, moved.head]);
    const outer = await started(control, 'loop-2', aSpec({ driver: 'outer' }));
    await expect(runAsync(refuseMove(outer, OTHER), effects)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('releases a loop only when it has ended', async () => {
    const { control } = aLibrary();
    const released: string[] = [];
    const ports: ReleasePorts = {
      endChecks: async (loop) => void released.push(loop),
      removeHooks: async ({ host }) => void released.push(host),
    };
    await releaseIfEnded(await started(control, 'loop-1'), ports);
    expect(released).toEqual([]);
    const { loaded } = await control.cancel('loop-1');
    if (loaded !== undefined) await releaseIfEnded(loaded, ports);
    expect(released).toEqual(['loop-1', 'my-agent']);
  });

  it('gives a loop of a session the agent that was named', async () => {
    const { control } = aLibrary();
    const agent = { kind: 'command', command: 'my-agent -p' } as const;
    const loaded = await started(control, 'loop-1');
    expect(nextDriver(loaded, agent, () => null)).toEqual(agent);
    expect(nextDriver(loaded, null, () => agent)).toBeNull();
  });

  it('cancels a loop whose check cannot be run', async () => {
    const { control } = aLibrary();
    await started(control, 'loop-1', aSpec({ driver: 'outer', checks: [aCheck('unit')] }));
    const found: string[] = [];
    const guarded = cancellingUnrunnable(control, (check) => found.push(check.name));
    const { loaded } = await guarded.post('loop-1', { kind: 'baseline-taken' });
    expect([found, loaded?.state.status]).toEqual([['unit'], 'cancelled']);
  });

  it('tells a person from an agent, and keeps the agent from what is for people', async () => {
    const { store, control } = aLibrary();
    await started(control, 'loop-1');
    const sessions = [{ host: 'my-agent', variable: 'MY_SESSION' }];
    expect(findAgentCaller([{}], sessions, store)).toBeNull();
    expect(findAgentCaller([{ MY_SESSION: 's1' }], sessions, store)).toMatchObject({ loop: 'loop-1' });
    expect(peopleOnlyIn({ command: 'tireless approve' }, { home: '/home/ada/.tireless' })).toBe('approve');
  });

  it('lets a repository lower a limit and not raise one', () => {
    const { limits } = aSpec();
    const asked = { ...limits, iterationsMax: 10 };
    expect(lowerLimits(asked, { iterationsMax: 3 }).iterationsMax).toBe(3);
    expect(lowerLimits(asked, { iterationsMax: 30 }).iterationsMax).toBe(10);
  });

  it('resumes a paused loop, not one that a process drives, and halted ones only where none is open', async () => {
    const { store, control } = aLibrary();
    const nobody = { control, isDriven: () => false };
    const running = await started(control, 'loop-1', aSpec({ driver: 'outer' }));
    expect(await resumeLoop(running, {}, { control, isDriven: () => true })).toMatchObject({ kind: 'driven' });
    await control.post('loop-1', { kind: 'pause-requested' });
    expect(await resumeLoop(loadedOf(store, 'loop-1'), {}, nobody)).toMatchObject({ kind: 'ready' });
    expect(resumable([running], () => false)(running)).toBe(true);
    expect(resumable([], () => false)(running)).toBe(false);
    await control.cancel('loop-1');
    const refused = await resumeLoop(loadedOf(store, 'loop-1'), {}, nobody);
    expect(refused).toMatchObject({ kind: 'refused', because: 'ended' });
  });

  it('answers what a loop asks, and nothing that it does not', async () => {
    const { store, control } = aLibrary();
    await started(control, 'loop-1');
    await control.post('loop-1', { kind: 'pause-requested' });
    const paused = loadedOf(store, 'loop-1');
    expect(answerEvent(paused, undefined, null)).toBeNull();
    const due = { name: 'Deploy', isOfPause: false };
    expect(answerEvent(paused, due, null)).toEqual({ kind: 'approval-given', request: 'Deploy' });
    expect(answerEvent(paused, due, 'no')).toEqual({ kind: 'approval-refused', request: 'Deploy', reason: 'no' });
    const ofPause = { name: 'Go on', isOfPause: true };
    expect(answerEvent(paused, ofPause, null)).toEqual({ kind: 'resume-requested' });
    expect(answerEvent(paused, ofPause, 'later')).toEqual({ kind: 'steering-given', text: 'later' });
    const other = await started(control, 'loop-2');
    const asking = answerable([paused, other], new Map([['loop-2', due]]));
    expect([asking(paused), asking(other)]).toEqual([false, true]);
    expect(answerable([paused, other], new Map())(paused)).toBe(true);
  });

  it('imports a loop paused, with the iterations that were used', async () => {
    const { store, control } = aLibrary();
    await startImported(
      { loop: 'loop-1', spec: aSpec({ driver: 'outer' }), cwd: '/project', machine: 'm' },
      4,
      control,
    );
    expect(loadedOf(store, 'loop-1').state).toMatchObject({ status: 'paused', counted: 4 });
  });

  it('builds a spec from options, and names a wrong one as its own readers know it', () => {
    const source: OptionSource = {
      nameOf: (option) => `options.${option}`,
      written: (option, value) => `${option}: '${value}'`,
      readsConfig: false,
      agents: {},
    };
    const request = { loop: 'loop-1', goal: 'Write a haiku', driver: 'session' } as const;
    const options = { checks: { commands: ['npm test'] }, limits: { iterationsMax: 3 } };
    expect(buildSpec({ ...request, options }, source)).toMatchObject({
      goal: 'Write a haiku',
      checks: [{ probe: { kind: 'command', command: 'npm test' } }],
      limits: { iterationsMax: 3 },
    });
    expect(() => buildSpec({ ...request, options: { claims: [''] } }, source)).toThrow('options.claims');
  });

  it('posts what a user asks for, and learns why it was refused', async () => {
    const { control } = aLibrary();
    const signs = {
      nowMs: 0,
      changedMs: 0,
      writtenMs: null,
      workedMs: null,
      idleCause: null,
      isAlive: null,
      isOwnProgram: false,
    };
    const ports = { control, sessionSigns: async () => signs };
    const loaded = await started(control, 'loop-1');
    expect(await postFromOutside(loaded, { kind: 'resume-requested' }, {}, ports)).toMatchObject({
      kind: 'refused',
      because: 'not-paused',
    });
    expect(await postFromOutside(loaded, { kind: 'cancel-requested' }, {}, ports)).toMatchObject({ kind: 'posted' });
  });

  it('prunes loops that have ended, and counts what was freed', async () => {
    const { store, control } = aLibrary();
    await started(control, 'loop-1');
    await started(control, 'loop-2');
    await control.cancel('loop-1');
    const removed: string[] = [];
    const pruner: Pruner = {
      bytesOf: () => 10,
      remove: async (loop) => (removed.push(loop), 'removed'),
      strays: () => [],
      removeStray: () => undefined,
    };
    const plan = planPrune({ beforeMs: Infinity, keep: 0 }, store, { pruner, hasStateFile: () => false });
    expect(await prunePlanned(plan, pruner)).toMatchObject({ loops: ['loop-1'], kept: [], bytes: 10 });
    expect(removed).toEqual(['loop-1']);
  });

  it('names each check once', () => {
    const names = withUniqueNames([aCheck('a'), aCheck('a (2)'), aCheck('a'), aCheck('a')]).map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names.slice(0, 2)).toEqual(['a', 'a (2)']);
  });
});

function loadedOf(store: Store, loop: string): Loaded {
  const loaded = store.load(loop);
  if (loaded === undefined) throw new Error('the loop is gone');
  return loaded;
}
