import path from 'node:path';
import type { FileReading } from '../../src/core/foreign-file.ts';
import { isEnded } from '../../src/core/loop.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectHandled } from '../../src/engine/dialect-loop.ts';
import { aStopOf, lostOf } from './dialect-probe.ts';
import type { DialectWorld } from './dialect-world.ts';
import { aDialectWorld, PROJECT } from './dialect-world.ts';

/** One recorded file of a dialect. */
export type DialectSample = {
  /** What is special about it, for the report. */
  readonly note?: string;
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
  /** A last message that completes the loop. */
  readonly claimMessage: string;
  /** If the document looks for the claim in the file itself: the text with the claim. */
  readonly claimIn?: (text: string) => string;
  /** The text with another maximum, in the document's own numbers; `null` = the document has none. */
  readonly raise: ((text: string, max: number) => string) | null;
  /** The text, switched off by hand; `null` = the document has no switch. */
  readonly deactivate: ((text: string) => string) | null;
  /** The text as someone would write it for the next loop: with another start time, id or goal. */
  readonly another: (text: string) => string;
  /** The top-level keys that the document lets a program write. */
  readonly keys: readonly string[];
  /** The session that the file or its path names. */
  readonly session?: string;
};

export const NOT_DONE = 'Still at it.';
/** A maximum that no test reaches. */
export const PLENTY = 60;

/** What is wrong with the file now, if it was `before`: some of the user's text is lost, or the file is missing while its loop continues. */
export function troubleIn(world: DialectWorld, sample: DialectSample, before: string | undefined): string[] {
  const now = textOf(world, sample);
  if (before === undefined || now === before) return [];
  if (now === undefined) return isEnded(mustLoad(world, sample).state) ? [] : ['the file'];
  return lostOf(before, now, sample.keys);
}

export type Live = FileReading & { kind: 'loop' };

export function activeReading(found: FileReading): Live | undefined {
  return found.kind === 'loop' && found.active ? found : undefined;
}

export function mustRead(dialect: Dialect, text: string): Live {
  const found = dialect.read(text);
  if (found.kind !== 'loop') throw new Error(`cannot be read: ${found.why}\n${text}`);
  return found;
}

export function holding(dialect: Dialect, sample: DialectSample): DialectWorld {
  const world = aDialectWorld(dialect);
  world.files.set(absolute(sample), sample.text);
  return world;
}

/** A world after so many stops; `undefined` = the loop of this sample has ended by then. */
export function after(stops: number, dialect: Dialect, sample: DialectSample): DialectWorld | undefined {
  const world = holding(dialect, roomy(sample));
  for (let done = 0; done < stops; done++) {
    if (stop(world, sample).decision.kind !== 'continue') return undefined;
  }
  return world;
}

/** With a maximum that the test does not reach, if the document has one. */
export function roomy(sample: DialectSample): DialectSample {
  return sample.raise === null ? sample : { ...sample, text: sample.raise(sample.text, PLENTY) };
}

/** The largest maximum whose first stop is already the last. */
export function tightMaximum(
  dialect: Dialect,
  sample: DialectSample,
  raise: (text: string, max: number) => string,
): string | undefined {
  const { counted } = mustRead(dialect, sample.text);
  for (let max = counted + 6; max >= 1; max--) {
    const text = raise(sample.text, max);
    if (mustRead(dialect, text).iterationsMax === counted + 1) return text;
  }
  return undefined;
}

export function aStop(dialect: Dialect, sample: DialectSample, size: number): ReturnType<typeof aStopOf> {
  return aStopOf(dialect, sample.file, { message: NOT_DONE, size, session: sessionOf(sample) });
}

export function stop(world: DialectWorld, sample: DialectSample, message: string = NOT_DONE): DialectHandled {
  return world.stop(sample.file, message, sessionOf(sample));
}

export function edit(world: DialectWorld, sample: DialectSample, change: (text: string) => string): void {
  world.files.set(absolute(sample), change(mustText(world, sample)));
}

export function textOf(world: DialectWorld, sample: DialectSample): string | undefined {
  return world.files.get(absolute(sample));
}

export function mustText(world: DialectWorld, sample: DialectSample): string {
  const text = textOf(world, sample);
  if (text === undefined) throw new Error('the file is gone');
  return text;
}

export function mustLoad(world: DialectWorld, sample: DialectSample): NonNullable<ReturnType<DialectWorld['loop']>> {
  const loaded = world.loop(sample.file);
  if (loaded === undefined) throw new Error('there is no loop');
  return loaded;
}

export function absolute(sample: DialectSample): string {
  return path.posix.join(PROJECT, sample.file);
}

export function sessionOf(sample: Pick<DialectSample, 'session'>): string {
  return sample.session ?? 'session-1';
}

export function attempt(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'the power failed') return false;
    throw error;
  }
}
