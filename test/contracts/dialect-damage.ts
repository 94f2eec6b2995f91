import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileReading } from '../../src/core/foreign-file.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { lostOf } from '../support/dialect-probe.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import {
  absolute,
  activeReading,
  after,
  holding,
  mustLoad,
  sessionOf,
  stop,
  textOf,
  troubleIn,
} from '../support/dialect-sample.ts';

/** Broken and odd files: never a crash, never a loop on a broken one, never a loss of the user's text. */
/** Every byte takes a minute over all dialects: every day it is every so many. A prime, so that it meets every kind of byte. */
export type Depth = { readonly stride: number; readonly runs: number };
export const EVERYDAY: Depth = { stride: 13, runs: 20 };
export const EVERY_BYTE: Depth = { stride: 1, runs: 200 };

export function damage(dialect: Dialect, sample: DialectSample, depth: Depth): void {
  corruption(dialect, sample, depth);
  generated(dialect, sample, depth);
}

const BAD_BYTES = ['', '\0', '"', '\n', '{', '\u00FF', 'cut'];

function corruption(dialect: Dialect, sample: DialectSample, { stride }: Depth): void {
  const bytes = Buffer.from(sample.text);
  const corrupted = (at: number, bad: string): string =>
    bad === 'cut'
      ? bytes.subarray(0, at).toString('utf8')
      : Buffer.concat([bytes.subarray(0, at), Buffer.from(bad, 'latin1'), bytes.subarray(at + 1)]).toString('utf8');

  it('survives corrupted bytes, before the loop and in the middle of it', () => {
    const world = holding(dialect, sample);
    stop(world, sample);
    const loop = mustLoad(world, sample);
    for (let at = 0; at < bytes.length; at += stride) {
      for (const [which, bad] of BAD_BYTES.entries()) {
        const text = corrupted(at, bad);
        const found = dialect.read(text);
        const now = found.kind === 'loop' ? (dialect.project(text, loop) ?? text) : text;
        expect([...unboundedIn(found), ...(now === text ? [] : lostOf(text, now, sample.keys))]).toEqual([]);
        // One way for each byte through the whole engine, in turn: the rest of it does not depend on the bytes.
        if (at % BAD_BYTES.length !== which) continue;
        expectSafe(dialect, sample, text);
        expectSafeMidway(dialect, sample, text);
      }
    }
  });
}

function generated(dialect: Dialect, sample: DialectSample, { runs }: Depth): void {
  it('survives generated files', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '---',
        '---\n',
        '\r\n',
        ': ',
        '"',
        '# ',
        '\t',
        '- a\n',
        '&a *a',
        '{{GOAL}}',
        '$&',
        '\uFEFF',
        '\u2028',
      ),
      fc.constantFrom(...sample.keys).map((key) => `\n${key}: `),
      fc.integer().map(String),
    );
    const cuts = fc.array(fc.tuple(fc.nat(sample.text.length), fc.nat(6), piece), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cuts, (edits) => {
        const text = edits.reduce(
          (now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length),
          sample.text,
        );
        expectSafe(dialect, sample, text);
        expectSafeMidway(dialect, sample, text);
      }),
      { numRuns: runs },
    );
  });

  it('survives a file with another system’s line ends', () => {
    for (const text of [sample.text.replaceAll(/\r?\n/gu, '\r\n'), sample.text.replaceAll(/\r?\n/gu, '\r')]) {
      expectSafe(dialect, sample, text);
    }
  });
}

/** Never a crash; an unreadable file is not touched; whatever it was, the user's text is still there. */
function expectSafe(dialect: Dialect, sample: DialectSample, text: string): void {
  const found = dialect.read(text);
  const world = holding(dialect, { ...sample, text });
  const { decision } = stop(world, sample);
  const named = activeReading(found)?.session;
  // Also a file that now names somebody else is none of this session's.
  const quiet = named === null || named === sessionOf(sample) ? [] : ['no-loop'];
  expect(decision.kind === 'abstain' ? [decision.because] : []).toEqual(quiet);
  expect(quiet.length > 0 ? textOf(world, sample) : text).toBe(text);
  expect([...troubleIn(world, sample, text), ...unboundedIn(found)]).toEqual([]);
}

function expectSafeMidway(dialect: Dialect, sample: DialectSample, text: string): void {
  const world = after(1, dialect, sample);
  if (world === undefined) return;
  world.files.set(absolute(sample), text);
  const { decision } = stop(world, sample);
  const isBroken = dialect.read(text).kind === 'invalid';
  const unreadable = { kind: 'abstain', because: 'file-unreadable' };
  expect(isBroken ? decision : unreadable).toEqual(unreadable);
  expect(isBroken ? textOf(world, sample) : text).toBe(text);
  expect(troubleIn(world, sample, text)).toEqual([]);
}

function unboundedIn(found: FileReading): string[] {
  if (found.kind !== 'loop') return [];
  const { counted, iterationsMax } = found;
  const isFinite = iterationsMax === 'unlimited' || (Number.isSafeInteger(iterationsMax) && iterationsMax >= 1);
  return [
    ...(Number.isSafeInteger(counted) && counted >= 0 ? [] : [`counted ${counted}`]),
    ...(isFinite ? [] : [`maximum ${iterationsMax}`]),
  ];
}
