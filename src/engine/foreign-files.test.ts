/** What happens to a dialect's file outside its stops: offers, new files, ends, failures. */
import { describe, expect, it } from 'vitest';
import { aDialectWorld, PROJECT } from '../../test/support/dialect-world.ts';
import type { DialectWorld } from '../../test/support/dialect-world.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { handleDialectEvent } from './dialect-loop.ts';
import { offerOfFile } from './file-offer.ts';
import { stateFilePrompt, writeNewStateFile } from './new-state-file.ts';
import { endWithSession } from './obey-file.ts';
import { runSync } from './pipeline.ts';

/** `on 1`: active, with one turn counted. */
const word: Dialect = {
  name: 'word',
  read: (text) => ({
    kind: 'loop',
    active: text.startsWith('on'),
    session: null,
    goal: 'the goal',
    claim: { texts: ['finished'], form: 'text-anywhere', tag: '', fold: true },
    criteria: [],
    counted: Number(text.split(' ')[1] ?? 0),
    iterationsMax: 9,
    triesMax: { transient: 2 },
    continuation: 'Go on.',
  }),
  project: (_, { state }) => (state.status === 'cancelled' ? 'off 0' : `on ${state.counted}`),
  filesFor: () => ['word.txt'],
  wordsFor: ({ decision }) => ({ sendsBack: decision.kind === 'continue', text: '', reason: '' }),
  replyForm: 'exit',
  newText: () => '',
};
const FILE = `${PROJECT}/word.txt`;
const live = { dialect: word, path: FILE };

function place(session: string): DialectPlace {
  return { live, cwd: PROJECT, file: 'word.txt', session: { host: 'claude-code', id: session }, lastSeenMs: () => 0 };
}

function aWorld(text?: string): DialectWorld {
  const world = aDialectWorld(word);
  if (text !== undefined) world.files.set(FILE, text);
  return world;
}

describe('the file of another session', () => {
  it('is offered with its name, its owner and its loop', () => {
    const world = aWorld('on 0');
    world.stop('word.txt', 'hm', 'one');
    expect(runSync(offerOfFile(place('two')), world.effects)).toMatchObject({
      file: 'word.txt',
      owner: 'one',
      loop: 'loop-1',
    });
    expect(runSync(offerOfFile(place('one')), world.effects)).toBeNull();
  });
});

describe('checks that stand in the file', () => {
  const checked: Dialect = {
    ...word,
    read: (text) => {
      const name = text.split(' ')[2] ?? '';
      const probe = { kind: 'command', command: 'true' } as const;
      const reading = word.read(text);
      return reading.kind === 'invalid'
        ? reading
        : { ...reading, checks: [{ name, probe, timeoutMs: 1000, holdout: false }] };
    },
    project: (text, { state }) => `on ${state.counted} ${text?.split(' ')[2]}`,
  };

  it('are those that stand there now, beside the user’s own', () => {
    const world = aDialectWorld(checked);
    const own = { name: 'mine', probe: { kind: 'command', command: 'true' } as const, timeoutMs: 1000, holdout: false };
    for (const [counted, name] of ['a', 'b', 'c'].entries()) {
      world.files.set(FILE, `on ${counted} ${name}`);
      world.stop('word.txt', 'hm', 'one', { checks: [own] });
      expect(
        world
          .loop('word.txt')
          ?.spec.checks.map((check) => check.name)
          .toSorted(),
      ).toEqual([name, 'mine']);
    }
  });
});

describe('a failed turn', () => {
  it('is tried again as often as the document says', () => {
    const world = aWorld('on 0');
    world.stop('word.txt', 'hm', 'one');
    const failure = { class: 'transient', detail: 'overloaded' } as const;
    const event = { kind: 'turn-failed', iteration: null, worker: null, failure } as const;
    runSync(handleDialectEvent(place('one'), event, {}, {}), world.effects);
    const failed = world.store.entries('loop-1').find((entry) => entry.event.kind === 'turn-failed');
    expect(failed?.event).toMatchObject({ failure: { class: 'transient', triesMax: 2 } });
  });
});

describe('a session that ends', () => {
  it('ends its own loop, and no other', () => {
    const world = aWorld('on 0');
    world.stop('word.txt', 'hm', 'one');
    runSync(endWithSession(place('two'), false), world.effects);
    expect(world.loop('word.txt')?.state.status).toBe('running');
    runSync(endWithSession(place('one'), false), world.effects);
    expect(world.loop('word.txt')?.state.outcome).toEqual({ kind: 'cancelled', because: 'session-ended' });
    expect(world.files.get(FILE)).toBe('off 0');
  });

  it('ends the loop of a file that is named after it also before the first stop', () => {
    const world = aWorld('on 0');
    runSync(endWithSession(place('one'), false), world.effects);
    expect(world.files.get(FILE)).toBe('on 0');
    runSync(endWithSession(place('one'), true), world.effects);
    expect(world.loop('word.txt')?.state.outcome).toEqual({ kind: 'cancelled', because: 'session-ended' });
  });
});

describe('a new state file', () => {
  const write = (world: DialectWorld): { readonly answer: string; readonly steps: string[] } => {
    const steps: string[] = [];
    const answer = runSync(
      writeNewStateFile(
        { live, file: 'word.txt', text: 'on 0', session: null },
        { makeFolder: () => void steps.push('folder'), keepOld: (text) => void steps.push(`keep ${text}`) },
      ),
      world.effects,
    );
    return { answer, steps };
  };

  it('is written where there is none', () => {
    const world = aWorld();
    expect(write(world)).toEqual({ answer: 'new', steps: ['folder'] });
    expect(world.files.get(FILE)).toBe('on 0');
  });

  it('takes the place of one that is switched off, which is kept', () => {
    expect(write(aWorld('off 3'))).toEqual({ answer: 'replaced', steps: ['folder', 'keep off 3'] });
  });

  it('asks the agent to keep the cost where the file has a budget', () => {
    const reading = word.read('on 0');
    if (reading.kind !== 'loop') throw new Error('it is one');
    const text = (limit: object): string => stateFilePrompt('word.txt', 'Do it', { ...reading, ...limit });
    expect(text({ costMaxUsd: 25 })).toContain('keep "cost" in word.txt');
    for (const limit of [{}, { costMaxUsd: 'unlimited' }]) expect(text(limit)).not.toContain('cost');
  });

  it('says how the loop ends: by the file that is to be moved, and not by any other check', () => {
    const reading = word.read('on 0');
    if (reading.kind !== 'loop') throw new Error('it is one');
    const moved = { kind: 'file-moved', path: 'todo.md', folder: 'done' } as const;
    const check = (probe: object) => ({ name: 'c', probe, timeoutMs: 1, holdout: false }) as never;
    const text = (...probes: object[]): string =>
      stateFilePrompt('word.txt', ' Do it ', { ...reading, checks: probes.map(check) });
    expect(text({ kind: 'command', command: 'true' }, moved)).toContain(
      'Do it\n\nThe loop ends when todo.md has been moved to done.',
    );
    expect(text({ kind: 'command', command: 'true' })).not.toContain('was moved');
  });
});
