import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { isEnded } from '../../src/core/loop.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { replyIn } from '../../src/dialects/dialect.ts';
import { startFromFile } from '../../src/engine/start-from-file.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import { annotated, aStopOf, crashingAt, interleaved, lostOf } from '../support/dialect-probe.ts';
import type { DialectSamples } from '../support/all-dialects.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import {
  absolute,
  activeReading,
  after,
  aStop,
  attempt,
  edit,
  holding,
  mustLoad,
  mustRead,
  mustText,
  NOT_DONE,
  PLENTY,
  roomy,
  sessionOf,
  stop,
  textOf,
  tightMaximum,
  troubleIn,
} from '../support/dialect-sample.ts';
import type { DialectWorld } from '../support/dialect-world.ts';
import { PROJECT } from '../support/dialect-world.ts';
import type { Depth } from './dialect-damage.ts';
import { corruption, generated } from './dialect-damage.ts';
import { lateEnds } from './dialect-late-end.ts';
import { lateExtras } from './dialect-late-extras.ts';
import { lowMaxima } from './dialect-maximum.ts';
import { commandsOnNewFiles, newFiles, newFilesAfterKill } from './dialect-new-file.ts';
import { resumes } from './dialect-resume.ts';

export type { DialectSample } from '../support/dialect-sample.ts';

/** Every crash, every overlap and generated files only for the first samples: their content hardly matters there, and the test has to end. */
const THOROUGH_MAX = 2;
/** More requests than a stop makes. */
const OVERLAPS_MAX = 40;
const COUNTER = /((?:iteration_count|current_iteration|iteration)"?\s*:\s*["']?)\d+/u;

/** What every dialect promises, whatever the format of its file. */
export function dialectContract({ dialect, samples, unclaimed = [] }: DialectSamples, depth: Depth): void {
  const live = samples.filter((sample) => activeReading(dialect.read(sample.text)) !== undefined);
  const idle = samples.filter((sample) => !live.includes(sample));
  const named = (some: readonly DialectSample[]): [string, DialectSample][] =>
    some.map((sample, at) => [sample.note ?? `sample ${at + 1}`, sample]);

  it('has a live sample', () => {
    expect(live.length).toBeGreaterThan(0);
  });

  describe.each(named(live))('%s', (_, sample) => {
    reading(dialect, sample);
    counting(dialect, sample);
    lowMaxima(dialect, sample);
    handEdits(dialect, sample);
    sessions(dialect, sample);
    newFiles(dialect, sample);
    commandsOnNewFiles(dialect, sample);
    resumes(dialect, sample);
    lateEnds(dialect, sample);
    lateExtras(dialect, sample);
  });

  describe.each(named(live.slice(0, THOROUGH_MAX)))('%s', (_, sample) => {
    crashes(dialect, sample);
    newFilesAfterKill(dialect, sample);
    concurrency(dialect, sample);
    generated(dialect, sample, depth);
  });

  const [begun] = live;
  if (begun === undefined) return;
  describe.concurrent.each(named([...samples, ...unclaimed]))('%s', (_, sample) => {
    corruption(dialect, sample, live.includes(sample) ? sample : begun, depth);
  });

  it.each(named(idle))('%s: is left alone and lets the agent stop', (_, sample) => {
    const world = holding(dialect, sample);
    expect(stop(world, sample).decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    expect(textOf(world, sample)).toBe(sample.text);
    expect(world.store.list({ ended: 'both' })).toEqual([]);
  });
}

function reading(dialect: Dialect, sample: DialectSample): void {
  it('comes back byte for byte when its loop is taken over', () => {
    const world = holding(dialect, sample);
    const found = mustRead(dialect, sample.text);
    const place = { live: { dialect, path: absolute(sample) }, cwd: PROJECT, file: sample.file, session: null };
    const loaded = runSync(
      startFromFile(place, { host: 'claude-code', id: sessionOf(sample) }, found, {}),
      world.effects,
    );
    expect(loaded.state.counted).toBe(found.counted);
    expect(textOf(world, sample)).toBe(sample.text);
  });

  it('has nothing but the promised keys changed, from the first stop to the last', () => {
    const world = holding(dialect, sample);
    for (let stops = 0; stops < 6; stops++) {
      const message = stops === 5 ? sample.claimMessage : NOT_DONE;
      if (stops === 5 && sample.claimIn !== undefined) edit(world, sample, sample.claimIn);
      const before = textOf(world, sample);
      stop(world, sample, message);
      expect(troubleIn(world, sample, before)).toEqual([]);
    }
  });

  it('completes by its claim, and is in the history and replays the same', () => {
    const world = holding(dialect, roomy(sample));
    stop(world, sample);
    if (sample.claimIn !== undefined) edit(world, sample, sample.claimIn);
    const handled = stop(world, sample, sample.claimMessage);
    expect(handled.decision.kind).toBe('complete');
    expectHonest(world);
    expect(world.store.list({ ended: true })).toHaveLength(1);
    expect(stop(world, sample, sample.claimMessage).decision.kind).toBe('abstain');
  });

  it('has words for every answer', () => {
    const world = holding(dialect, sample);
    for (const message of [NOT_DONE, NOT_DONE, sample.claimMessage, NOT_DONE]) {
      const { decision, loaded, reading: found } = stop(world, sample, message);
      const words = dialect.wordsFor({ decision, loop: loaded ?? null, reading: found });
      expect(words.sendsBack).toBe(decision.kind === 'continue');
      for (const form of ['json', 'exit', 'ok'] as const) expect(replyIn(form, words).exitCode).toBeLessThanOrEqual(2);
    }
  });
}

function counting(dialect: Dialect, sample: DialectSample): void {
  it('counts every stop once, in the journal and in the file', () => {
    const world = holding(dialect, roomy(sample));
    const { counted } = mustRead(dialect, sample.text);
    for (let stops = 1; stops <= 3; stops++) {
      stop(world, sample);
      expect(mustLoad(world, sample).state.counted).toBe(counted + stops);
      expect(mustRead(dialect, mustText(world, sample)).counted).toBe(counted + stops);
    }
  });

  const { raise } = sample;
  if (raise === null) return;
  it('stops at the maximum, and past it, not only exactly at it', () => {
    const base = mustRead(dialect, sample.text).counted;
    for (let max = 1; max <= base + 6; max++) {
      const world = holding(dialect, { ...sample, text: raise(sample.text, max) });
      const { iterationsMax } = mustRead(dialect, raise(sample.text, max));
      if (iterationsMax === 'unlimited') continue;
      let continued = 0;
      while (stop(world, sample).decision.kind === 'continue') expect(++continued).toBeLessThan(PLENTY);
      expect(continued).toBe(Math.max(0, iterationsMax - 1 - base));
      expect(mustLoad(world, sample).state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max' });
      expect(stop(world, sample).decision.kind).toBe('abstain');
    }
  });

  it('completes at the very stop that reaches the maximum', () => {
    const tight = tightMaximum(dialect, sample, raise);
    if (tight === undefined) return;
    const text = sample.claimIn === undefined ? tight : sample.claimIn(tight);
    const world = holding(dialect, { ...sample, text });
    expect(stop(world, sample, sample.claimMessage).decision.kind).toBe('complete');
  });
}

function handEdits(dialect: Dialect, sample: DialectSample): void {
  const { raise, deactivate } = sample;
  const moments = [1, 2, 3];

  it.runIf(raise !== null).each(moments)('applies a raised and a lowered maximum after %i stops', (stops) => {
    const world = after(stops, dialect, sample);
    if (world === undefined || raise === null) return;
    edit(world, sample, (text) => raise(text, PLENTY + 7));
    expect(stop(world, sample).decision.kind).toBe('continue');
    expect(mustLoad(world, sample).state.limits.iterationsMax).toBe(
      mustRead(dialect, mustText(world, sample)).iterationsMax,
    );
    edit(world, sample, (text) => raise(text, 1));
    expect(stop(world, sample).decision).toMatchObject({ kind: 'halt', guard: 'iterations-max' });
  });

  it.runIf(deactivate !== null).each([0, ...moments])(
    'lets the agent stop when switched off after %i stops',
    (stops) => {
      const world = after(stops, dialect, sample);
      if (world === undefined || deactivate === null) return;
      edit(world, sample, deactivate);
      const off = mustText(world, sample);
      expect(['cancel', 'abstain']).toContain(stop(world, sample).decision.kind);
      expect(lostOf(off, textOf(world, sample) ?? off, sample.keys)).toEqual([]);
      expect(['cancel', 'abstain']).toContain(stop(world, sample).decision.kind);
    },
  );

  it.runIf(deactivate !== null)('keeps a counter that was raised in the edit that switched it off', () => {
    const world = after(1, dialect, sample);
    if (world === undefined || deactivate === null) return;
    edit(world, sample, (text) => deactivate(text.replace(COUNTER, (_, key: string) => `${key}7`)));
    const { counted } = mustRead(dialect, mustText(world, sample));
    if (counted <= mustLoad(world, sample).state.counted) return;
    stop(world, sample);
    const left = textOf(world, sample);
    expect(left === undefined ? counted : mustRead(dialect, left).counted).toBe(counted);
  });

  it.each(moments)('lets the agent stop when deleted after %i stops, and does not bring the file back', (stops) => {
    const world = after(stops, dialect, sample);
    if (world === undefined) return;
    world.files.delete(absolute(sample));
    expect(stop(world, sample).decision.kind).toBe('cancel');
    expect(textOf(world, sample)).toBeUndefined();
    expect(stop(world, sample).decision.kind).toBe('abstain');
  });

  it.each(moments)('keeps a note the user wrote after %i stops', (stops) => {
    const world = after(stops, dialect, sample);
    if (world === undefined) return;
    edit(world, sample, (text) => annotated(text, 'a note of mine: 100 % "so" \\ far'));
    const noted = mustText(world, sample);
    if (activeReading(dialect.read(noted)) === undefined) return;
    stop(world, sample);
    expect(troubleIn(world, sample, noted)).toEqual([]);
  });

  it('keeps an edit that comes between the look and the rename', () => {
    const world = holding(dialect, roomy(sample));
    const { replaceFile } = world.effects;
    let noted: string | undefined;
    const effects = {
      ...world.effects,
      replaceFile: (file: string, was: string | null, text: string | null): 'replaced' | 'changed' => {
        if (noted === undefined) {
          noted = annotated(mustText(world, sample), 'just now');
          world.files.set(file, noted);
        }
        return replaceFile(file, was, text);
      },
    };
    runSync(aStop(dialect, sample, 1), effects);
    const { counted } = mustLoad(world, sample).state;
    expect(troubleIn(world, sample, noted)).toEqual([]);
    expect(activeReading(dialect.read(mustText(world, sample)))?.counted ?? counted).toBe(counted);
  });

  it('starts a new loop when a file appears after the end', () => {
    const world = holding(dialect, roomy(sample));
    stop(world, sample);
    world.files.delete(absolute(sample));
    stop(world, sample);
    world.files.set(absolute(sample), annotated(roomy(sample).text, 'the next phase'));
    if (activeReading(dialect.read(mustText(world, sample))) === undefined) return;
    expect(stop(world, sample).decision.kind).toBe('continue');
    expect(world.store.list({ ended: 'both' })).toHaveLength(2);
  });
}

function sessions(dialect: Dialect, sample: DialectSample): void {
  it('answers the session it belongs to and no other', () => {
    const world = holding(dialect, roomy(sample));
    stop(world, sample);
    const before = textOf(world, sample);
    const { revision } = mustLoad(world, sample).head;
    const other = world.stop(sample.file, sample.claimMessage, 'somebody-else');
    const nobody = runSync(aStopOf(dialect, sample.file, { message: NOT_DONE, size: 9, session: null }), world.effects);
    expect([other.decision.kind, nobody.decision.kind]).toEqual(['abstain', 'abstain']);
    expect(textOf(world, sample)).toBe(before);
    expect(mustLoad(world, sample).head.revision).toBe(revision);
    expect(stop(world, sample).decision.kind).toBe('continue');
  });
}

function crashes(dialect: Dialect, sample: DialectSample): void {
  it('loses no iteration and counts none twice, wherever the power fails', () => {
    const { text } = roomy(sample);
    const { counted } = mustRead(dialect, text);
    for (let before = 0; before <= 1; before++) {
      for (let nth = 1; ; nth++) {
        const world = holding(dialect, { ...sample, text });
        for (let stops = 1; stops <= before; stops++) runSync(aStop(dialect, sample, stops), world.effects);
        const survived = attempt(() => runSync(aStop(dialect, sample, 10), crashingAt(world.effects, nth)));
        const atCrash = world.loop(sample.file)?.state.counted ?? counted;
        for (const size of [11, 12]) {
          expect(runSync(aStop(dialect, sample, size), world.effects).decision.kind).toBe('continue');
        }
        const { state } = mustLoad(world, sample);
        expect(state.counted).toBe(Math.max(atCrash, counted) + 2);
        expect(mustRead(dialect, mustText(world, sample)).counted).toBe(state.counted);
        expect(lostOf(text, mustText(world, sample), sample.keys)).toEqual([]);
        expectHonest(world);
        if (survived) break;
        expect(nth).toBeLessThan(200);
      }
    }
  });

  it('completes once and leaves the file as it should be, wherever the power fails at the end', () => {
    const { text } = roomy(sample);
    const claim = { message: sample.claimMessage, session: sessionOf(sample) };
    const begun = (): DialectWorld => {
      const world = holding(dialect, { ...sample, text });
      runSync(aStop(dialect, sample, 1), world.effects);
      if (sample.claimIn !== undefined) edit(world, sample, sample.claimIn);
      return world;
    };
    const whole = begun();
    runSync(aStopOf(dialect, sample.file, { ...claim, size: 2 }), whole.effects);
    for (let nth = 1; ; nth++) {
      const world = begun();
      const survived = attempt(() =>
        runSync(aStopOf(dialect, sample.file, { ...claim, size: 2 }), crashingAt(world.effects, nth)),
      );
      const wasOver = isEnded(mustLoad(world, sample).state);
      runSync(aStopOf(dialect, sample.file, { ...claim, size: 3 }), world.effects);
      expect(mustLoad(world, sample).state.status).toBe('completed');
      expect(wasOver ? textOf(world, sample) : textOf(whole, sample)).toBe(textOf(whole, sample));
      expect(world.store.list({ ended: 'both' })).toHaveLength(1);
      expectHonest(world);
      if (survived) break;
      expect(nth).toBeLessThan(200);
    }
  });
}

function concurrency(dialect: Dialect, sample: DialectSample): void {
  /** Both begin; the second runs whole after `k` requests of the first, for every k. */
  const everyOverlap = (check: (turns: boolean[]) => void): void => {
    for (let k = 0; k <= OVERLAPS_MAX; k++) check([...Array<boolean>(k).fill(false), ...Array<boolean>(80).fill(true)]);
  };
  const { text } = roomy(sample);
  const { counted } = mustRead(dialect, text);
  const begun = (): DialectWorld => {
    const world = holding(dialect, { ...sample, text });
    runSync(aStop(dialect, sample, 1), world.effects);
    return world;
  };

  it('counts a stop that is reported twice at once only once', () => {
    everyOverlap((turns) => {
      const world = begun();
      const answers = interleaved(aStop(dialect, sample, 2), aStop(dialect, sample, 2), world.effects, turns);
      expect(answers.map(({ decision }) => decision.kind).toSorted()).toEqual(['abstain', 'continue']);
      expect(mustLoad(world, sample).state.counted).toBe(counted + 2);
      expectHonest(world);
    });
  });

  it('counts two stops at once as two, and the file follows the journal at the latest with the next stop', () => {
    everyOverlap((turns) => {
      const world = begun();
      interleaved(aStop(dialect, sample, 2), aStop(dialect, sample, 3), world.effects, turns);
      runSync(aStop(dialect, sample, 4), world.effects);
      const { state } = mustLoad(world, sample);
      expect(state.counted).toBe(counted + 4);
      expect(mustRead(dialect, mustText(world, sample)).counted).toBe(state.counted);
      expect(lostOf(text, mustText(world, sample), sample.keys)).toEqual([]);
      expectHonest(world);
    });
  });

  it('goes to one of two sessions that stop first at the same time', () => {
    everyOverlap((turns) => {
      const world = holding(dialect, { ...sample, text });
      const other = aStopOf(dialect, sample.file, { message: NOT_DONE, size: 3, session: 'somebody-else' });
      interleaved(aStop(dialect, sample, 2), other, world.effects, turns);
      const next = [sessionOf(sample), 'somebody-else'].map(
        (session) =>
          runSync(aStopOf(dialect, sample.file, { message: NOT_DONE, size: 4, session }), world.effects).decision.kind,
      );
      expect(next.toSorted()).toEqual(['abstain', 'continue']);
      expectHonest(world);
    });
  });
}

function expectHonest(world: DialectWorld): void {
  for (const { state } of world.store.list({ ended: 'both' })) {
    expect(replay(world.store.entries(state.loop)).differences).toEqual([]);
  }
}
