import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aDialectWorld } from '../../../test/support/dialect-world.ts';
import { runSync } from '../../engine/pipeline.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import { athena, athenaDialect } from './dialect.ts';
import { DEFAULT_TRACKER_TEMPLATE, defaultContinueMessage } from './words.ts';
import { readTracker } from './read.ts';
import { renderTracker } from './write.ts';

const FILE = '.athena/sessions/s-1/loop-tracker.md';
const PATH = `/project/${FILE}`;
const fixture = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../../test/fixtures/dialects/athena', name), 'utf8');
const tracker = (iteration: number, max: number, body = '# Progress\n'): string =>
  renderTracker(
    { active: true, iteration, maxIterations: max, completionMarker: 'E2E_COMPLETE', body },
    '2026-02-25T10:00:00Z',
  );

describe('a tracker', () => {
  it('is written as the document shows it', () => {
    const body = readTracker(fixture('tracker.md'));
    expect('why' in body ? '' : renderTracker(body, '2026-02-25T10:00:00Z')).toBe(fixture('tracker.md'));
  });

  it('is read back from whatever a body and a marker hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1 }), (body, marker) => {
        const completionMarker = `x${marker}`;
        const made = { active: true, iteration: 3, maxIterations: 7, completionMarker, body };
        expect(readTracker(renderTracker(made, 'now'))).toEqual(made);
      }),
    );
  });

  it('keeps only its own front matter apart from the body, whatever the body looks like', () => {
    expect(readTracker(fixture('hand-written.md'))).toMatchObject({
      active: true,
      iteration: 2,
      maxIterations: 12,
      completionMarker: "It's done: E2E_COMPLETE",
      body: expect.stringContaining('iteration: 77'),
    });
  });

  it('takes what is missing from the workflow, and is off without the word active', () => {
    const bare = '---\nnotes: x\n---\nbody';
    expect(readTracker(bare, { completionMarker: 'DONE', maxIterations: 4 })).toEqual({
      active: false,
      iteration: 0,
      maxIterations: 4,
      completionMarker: 'DONE',
      body: 'body',
    });
    expect(readTracker('---\nactive: true\ncompletion_marker: DONE\n---\n')).toMatchObject({ maxIterations: 20 });
    expect(readTracker(bare)).toMatchObject({ why: expect.stringContaining('completion_marker') });
  });

  it.each([
    ['no front matter', fixture('broken-no-front-matter.md')],
    ['broken YAML', fixture('broken-yaml.md')],
    ['an iteration that is no number', '---\niteration: many\ncompletion_marker: X\n---\n'],
    ['a negative maximum', '---\nmax_iterations: -1\ncompletion_marker: X\n---\n'],
    ['a maximum without end', '---\nmax_iterations: .inf\ncompletion_marker: X\n---\n'],
    ['an empty marker', '---\ncompletion_marker: " "\n---\n'],
    ['aliases', '---\na: &x 1\niteration: *x\n---\n'],
  ])('is refused with a reason when it has %s', (_, text) => {
    expect(athena.read(text)).toMatchObject({ kind: 'invalid', why: expect.stringMatching(/./u) });
  });
});

describe('a loop in a tracker', () => {
  it('blocks as often as the maximum says, and lets the next stop through', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 2));
    expect(world.stop(FILE, 'hm').decision.kind).toBe('continue');
    expect(world.files.get(PATH)).toBe(tracker(1, 2));
    expect(world.stop(FILE, 'hm').decision.kind).toBe('continue');
    expect(world.files.get(PATH)).toBe(tracker(2, 2));
    expect(world.stop(FILE, 'hm').decision).toMatchObject({ kind: 'halt', guard: 'iterations-max' });
    expect(world.files.get(PATH)).toBe(tracker(2, 2).replace('active: true', 'active: false'));
    expect(world.stop(FILE, 'hm').decision.kind).toBe('abstain');
  });

  it('never blocks with a maximum of 0', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 0));
    expect(world.stop(FILE, 'hm').decision.kind).toBe('halt');
    expect(world.files.get(PATH)).toBe(tracker(0, 0).replace('active: true', 'active: false'));
  });

  it('is complete when the body contains the marker, anywhere, and switches itself off', () => {
    const world = aDialectWorld(athena);
    const text = tracker(1, 5, '# Progress\n\nall good, E2E_COMPLETE.\n');
    world.files.set(PATH, text);
    expect(world.stop(FILE, 'hm').decision).toEqual({
      kind: 'complete',
      verified: false,
      proofs: [{ kind: 'claim', name: 'E2E_COMPLETE' }],
    });
    expect(world.files.get(PATH)).toBe(text.replace('active: true', 'active: false'));
  });

  it.each([
    ['in another case', '# e2e_complete\n'],
    ['only in the front matter', '# Progress\n'],
  ])('is not complete with the marker %s', (_, body) => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 5, body));
    expect(world.stop(FILE, 'E2E_COMPLETE').decision.kind).toBe('continue');
  });

  it('looks for the marker as it is written, with its white space', () => {
    const spaced = (body: string): string =>
      renderTracker({ active: true, iteration: 0, maxIterations: 5, completionMarker: ' DONE ', body }, 'now');
    for (const [body, kind] of [
      ['ABANDONED', 'continue'],
      ['DONE', 'continue'],
      ['it is DONE \r\n', 'complete'],
      ['# All DONE here', 'complete'],
    ]) {
      const world = aDialectWorld(athena);
      world.files.set(PATH, spaced(body ?? ''));
      expect([body, world.stop(FILE, 'hm').decision.kind]).toEqual([body, kind]);
    }
  });

  it('is complete at the stop that reaches the maximum', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(3, 3, 'E2E_COMPLETE'));
    expect(world.stop(FILE, 'hm').decision.kind).toBe('complete');
  });

  it('is not ended by a copy of its own continue message', () => {
    const dialect = athenaDialect({ continueMessage: 'Write E2E_COMPLETE into the tracker when all is done.' });
    const world = aDialectWorld(dialect);
    world.files.set(PATH, tracker(1, 5, '> Write E2E_COMPLETE into the tracker when all is done.\n'));
    expect(world.stop(FILE, 'hm').decision.kind).toBe('continue');
  });

  it('does not pause for <blocked>, which the document does not know', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 3, '# Progress\n\n<blocked>no key</blocked>\n'));
    expect(world.stop(FILE, '<blocked>no key</blocked>').decision.kind).toBe('continue');
  });

  it('says its message as it stands, also when it looks like a template', () => {
    const continueMessage = 'Keep going: {{GOAL}} {{MAX}} {{{{x}} $& {input}';
    const dialect = athenaDialect({ continueMessage });
    const world = aDialectWorld(dialect);
    world.files.set(PATH, tracker(0, 5));
    const { decision, loaded = null, reading } = world.stop(FILE, 'hm');
    expect(dialect.wordsFor({ decision, loop: loaded, reading })).toMatchObject({
      sendsBack: true,
      text: continueMessage,
    });
  });

  it('has a default message that names the tracker and the marker, and a copy of it does not end the loop', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 5));
    const { decision, loaded = null, reading } = world.stop(FILE, 'hm');
    const { text } = athena.wordsFor({ decision, loop: loaded, reading });
    expect(text).toBe(defaultContinueMessage(FILE, 'E2E_COMPLETE'));
    expect(text).toMatch(/\.athena\/sessions\/s-1\/loop-tracker\.md[\s\S]*"E2E_COMPLETE"/u);
    world.files.set(PATH, `${world.files.get(PATH)}\n> ${text}\n`);
    expect(world.stop(FILE, 'hm').decision.kind).toBe('continue');
    expect(DEFAULT_TRACKER_TEMPLATE).toBe('# Loop Progress\n\n_In progress_');
  });

  it('shows a maximum that was raised from outside, and never lowers one', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 0));
    world.stop(FILE, 'hm');
    const loop = world.loop(FILE)?.state.loop ?? '';
    const live = { dialect: athena, path: PATH };
    runSync(handleEvent(loop, { kind: 'resume-requested', limits: { iterationsMax: 4 } }, {}, live), world.effects);
    expect(readTracker(world.files.get(PATH) ?? '')).toMatchObject({ active: true, maxIterations: 3 });
    world.files.set(PATH, tracker(1, 9));
    world.stop(FILE, 'hm');
    expect(readTracker(world.files.get(PATH) ?? '')).toMatchObject({ active: true, maxIterations: 9 });
  });

  it('reports a pause at every stop, with the way to resume', () => {
    const world = aDialectWorld(athena);
    world.files.set(PATH, tracker(0, 5));
    world.stop(FILE, 'hm');
    world.post(FILE, { kind: 'pause-requested' });
    const { decision, loaded, reading } = world.stop(FILE, 'hm');
    const loop = loaded ?? null;
    expect(athena.wordsFor({ decision, loop, reading }).notice).toBe(
      `tireless: loop tracker ${FILE}: paused: you paused it; resume with: tireless resume ${loop?.state.loop ?? ''}`,
    );
  });

  it('is looked for in the folder of its session first, then in the others', () => {
    const list = (): string[] => ['other', 's-1', '..', 'a b'];
    expect(athena.filesFor({ session: 's-1', list })).toEqual([
      FILE,
      '.athena/sessions/other/loop-tracker.md',
      '.athena/sessions/a b/loop-tracker.md',
    ]);
    expect(athena.filesFor({ session: '../../etc', list: () => [] })).toEqual([]);
  });
});
