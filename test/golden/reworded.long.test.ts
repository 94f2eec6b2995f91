/** A sentence may be reworded at any time, also while loops are under way: no decision may depend on one, whoever wrote it. */
import { expect, it } from 'vitest';
import type { FileReading } from '../../src/core/foreign-file.ts';
import type { Loop } from '../../src/core/journal.ts';
import { JOURNAL_VERSION } from '../../src/core/journal.ts';
import type { Build } from './reworded.ts';
import { buildTwice } from './reworded.ts';
import type { Story } from './shapes.ts';
import { allStories, entriesOf, forgedIn } from './shapes.ts';
import { JOURNEYS } from './upgrade-journeys.ts';
import { fateOf } from './upgrade-scene.ts';

const stories = allStories();
const { plain, other } = await buildTwice();

/** As a snapshot keeps it. */
const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('rewords what people and agents read, and nothing else', () => {
  expect(other.reworded).toBeGreaterThan(150);
  const loop = plain.core.foldAll(entriesOf(named('session-long')));
  if (loop === null) throw new Error('a recorded loop has begun');
  const [before, after] = [plain, other].map(({ core }) => core.promptOf(loop.spec, loop.state));
  expect(after).not.toBe(before);
  expect(after?.length).toBeGreaterThan(before?.length ?? 0);
});

it.each(stories.map((story) => [story.title, story] as const))('%s is decided the same', (_, story) => {
  const entries = entriesOf(story);
  // A journal of one build, read by the other.
  const forged = forgedIn(entries);
  expect(other.core.replay(entries).differences.map(({ revision }) => revision)).toEqual(forged);
  // A state of one build, taken over by the other after every step.
  for (const [first, second] of [
    [plain, other],
    [other, plain],
  ] as const) {
    const [start, ...rest] = entries;
    if (start === undefined) throw new Error('a recorded loop has begun');
    let loop = kept(first.core.foldEntry(null, start));
    for (const entry of rest) {
      const expected = forged.includes(entry.revision) ? decided(first, loop, entry) : entry.decision;
      expect(decided(second, loop, entry)).toEqual(expected);
      loop = kept(first.core.foldEntry(loop, entry));
    }
    for (const [way, steps] of story.ways) {
      let now = loop;
      for (const { way: _way, ...step } of steps) {
        expect({ way, decision: decided(second, now, step) }).toEqual({ way, decision: step.decision });
        const entry = { v: JOURNAL_VERSION, revision: 0, prev: null, ...step } as const;
        if (step.decision.kind !== 'abstain') now = kept(first.core.foldEntry(now, entry));
      }
    }
  }
});

type Happening = Pick<Parameters<Build['core']['foldEntry']>[1], 'event' | 'evidence'>;

function decided({ core }: Build, { spec, state }: Loop, { event, evidence }: Happening): unknown {
  return kept(core.decide(spec, state, event, evidence));
}

it('a prompt of one build is known by the other', () => {
  const loop = plain.core.foldAll(entriesOf(named('session-long')));
  if (loop === null) throw new Error('a recorded loop has begun');
  const waiting = { ...loop.state, plan: { ...loop.state.plan, waiting: true as const } };
  for (const state of [loop.state, waiting]) {
    for (const [writer, reader] of [
      [plain, other],
      [other, plain],
    ] as const) {
      const prompt = writer.core.promptOf(loop.spec, state);
      expect(reader.core.isStopPrompt(prompt)).toBe(true);
      expect(reader.core.isCurrentPrompt(prompt, state)).toBe(true);
      expect(reader.core.isStalePrompt(prompt, state)).toBe(false);
    }
  }
});

const withFile = stories.flatMap((story) =>
  story.file === undefined ? [] : [[story.title, story, story.file] as const],
);

it.each(withFile)('the file of %s says the same', (_, story, file) => {
  const loop = plain.core.foldAll(entriesOf(story));
  const find = ({ dialects }: Build) => dialects.find(({ name }) => name === loop?.spec.dialect?.name);
  const [ours, theirs] = [find(plain), find(other)];
  if (loop === null || ours === undefined || theirs === undefined) throw new Error('no loop, or no dialect');
  expect(meant(theirs.read(file))).toEqual(meant(ours.read(file)));
  const written = theirs.project(file, loop) ?? '';
  expect(meant(ours.read(written))).toEqual(meant(ours.read(file)));
});

/** Whatever one build wrote is read by the other, one, two or three calls later. */
const TURNS = [
  [plain, other],
  [other, plain],
  [plain, plain, other, other],
  [plain, other, other, plain],
];

it.each(JOURNEYS.map((journey) => [journey.title, journey] as const))('%s: no wording decides', async (_, journey) => {
  const expected = await fateOf(journey, [plain]);
  const [, , ...later] = expected.map(({ decision }) => decision.kind);
  expect(later.join(' ')).toBe(journey.decided);
  for (const builds of TURNS)
    expect({ builds: builds.map(({ name }) => name), fates: await fateOf(journey, builds) }).toEqual({
      builds: builds.map(({ name }) => name),
      fates: expected,
    });
});

/** Without what is only read by the agent. */
function meant(reading: FileReading): object {
  const { continuation: _continuation, next: _next, ...rest } = { continuation: '', next: '', ...reading };
  return rest;
}

function named(name: string): Story {
  const story = stories.findLast(({ title }) => title.endsWith(` ${name}`));
  if (story === undefined) throw new Error(`${name} was not recorded`);
  return story;
}
