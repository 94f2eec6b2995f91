import { describe, expect, it } from 'vitest';
import { aDialectWorld, PROJECT } from '../../test/support/dialect-world.ts';
import type { Event } from '../core/event.ts';
import { promptOf } from '../core/prompt.ts';
import { supercode } from '../dialects/supercode/dialect.ts';
import type { DialectHandled } from './dialect-loop.ts';
import { handleDialectEvent } from './dialect-loop.ts';
import { runSync } from './pipeline.ts';

/** A session whose prompts are injected after the reply, and a file that names its session. */
const FILE = 'state.json';
const PATH = `${PROJECT}/${FILE}`;
const text = (sessionId: string, iteration = 1): string =>
  JSON.stringify({
    active: true,
    iteration,
    maxIterations: 5,
    prompt: 'the goal',
    completionPromise: 'DONE',
    sessionId,
  });

function aSession(): {
  readonly world: ReturnType<typeof aDialectWorld>;
  readonly post: (event: Event, id?: string) => DialectHandled;
} {
  const world = aDialectWorld(supercode);
  world.files.set(PATH, text('one'));
  return {
    world,
    post: (event, id = 'one') =>
      runSync(
        handleDialectEvent(
          { live: { dialect: supercode, path: PATH }, cwd: PROJECT, file: FILE, session: { host: 'h', id } },
          event,
          { message: 'hm' },
          { delivery: 'apart' },
        ),
        world.effects,
      ),
  };
}

const ENDED: Event = { kind: 'turn-ended', iteration: null, worker: null };
const began = (iteration: number): Event => ({ kind: 'iteration-began', iteration, worker: null });
const failed = (iteration: number): Event => ({
  kind: 'turn-failed',
  iteration,
  worker: null,
  failure: { class: 'transient', detail: 'not injected' },
});

describe('prompts that are delivered apart from the reply', () => {
  it('take the first turn as begun, since its prompt was the user’s own', () => {
    const { post } = aSession();
    const { decision, loaded } = post(ENDED);
    expect(decision).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(loaded?.state).toMatchObject({ phase: 'ready', counted: 1 });
  });

  it('count no stop before the delivery, and one delivery only', () => {
    const { post } = aSession();
    post(ENDED);
    expect(post(ENDED).decision).toEqual({ kind: 'abstain', because: 'not-awaited' });
    expect(post(began(3)).decision).toEqual({ kind: 'abstain', because: 'not-awaited' });
    expect(post(began(2)).decision).toEqual({ kind: 'record' });
    expect(post(began(2)).decision).toEqual({ kind: 'abstain', because: 'not-awaited' });
    expect(post(ENDED).decision).toMatchObject({ kind: 'continue', iteration: 3 });
  });

  it('wait again under their number after a failed delivery', () => {
    const { post } = aSession();
    post(ENDED);
    post(began(2));
    expect(post(failed(2)).decision).toMatchObject({ kind: 'continue', iteration: 2, rerun: true });
    expect(post(ENDED).loaded?.state).toMatchObject({ phase: 'ready', counted: 1, faults: 1 });
    expect(post(began(2)).decision).toEqual({ kind: 'record' });
    expect(post(failed(1)).decision).toEqual({ kind: 'abstain', because: 'not-awaited' });
  });

  it('are the goal itself in the first iteration of a document', () => {
    const { post } = aSession();
    const { loaded } = post({ kind: 'steering-given', text: 'gently' });
    if (loaded === undefined) throw new Error('there is a loop');
    expect(promptOf(loaded.spec, { ...loaded.state, steering: [] })).toBe('the goal');
  });
});

describe('a file that is given to another session by hand', () => {
  it('starts a loop there with its counter, and ends the old one', () => {
    const { world, post } = aSession();
    post(ENDED);
    world.files.set(PATH, text('two', 2));
    expect(post(ENDED, 'three').decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    expect(post(ENDED, 'two').decision).toMatchObject({ kind: 'continue', iteration: 3 });
    expect(post(began(3), 'one').decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    expect(world.store.list({ ended: 'both' }).map(({ state }) => [state.status, state.session?.id])).toEqual([
      ['cancelled', 'one'],
      ['running', 'two'],
    ]);
  });

  it('ends the old loop at its own next event, and is left as it is', () => {
    const { world, post } = aSession();
    post(ENDED);
    world.files.set(PATH, text('two', 2));
    expect(post(began(2)).decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    expect(world.loop(FILE)?.state.status).toBe('cancelled');
    expect(world.files.get(PATH)).toBe(text('two', 2));
  });
});
