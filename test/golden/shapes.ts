/** Recorded by `record.mjs`: one folder per shape, with one per story. To add a shape, add a folder. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import type { State } from '../../src/core/loop.ts';
import type { Draft } from '../../src/engine/ports.ts';
import type { FileStore } from '../../src/stores/file-store.ts';
import { openFileStore } from '../../src/stores/file-store.ts';

const SHAPES = path.join(import.meta.dirname, 'shapes');

/** The recording program's decision about one possible next event; the steps of one `way` follow each other. */
type NextStep = Draft & { readonly way: string };

/** The state of its loop, according to the recording program. */
type Left = Pick<State, 'loop' | 'status' | 'counted' | 'outcome' | 'pause'> & { readonly entries: number };

export type Story = {
  readonly title: string;
  readonly folder: string;
  readonly left: Left;
  readonly ways: ReadonlyMap<string, readonly NextStep[]>;
  /** The dialect's file, as the last projection left it. */
  readonly file: string | undefined;
};

export function allStories(): readonly Story[] {
  return readdirSync(SHAPES).flatMap((shape) =>
    readdirSync(path.join(SHAPES, shape)).map((story) => storyIn(path.join(SHAPES, shape, story), `${shape} ${story}`)),
  );
}

function storyIn(folder: string, title: string): Story {
  const left: Left = JSON.parse(readFileSync(path.join(folder, 'left.json'), 'utf8'));
  const steps = readFileSync(path.join(folder, 'then.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): NextStep => JSON.parse(line));
  const names = new Set(steps.map(({ way }) => way));
  const ways = new Map([...names].map((name) => [name, steps.filter(({ way }) => way === name)]));
  const file = ['.md', '.json'].map((end) => path.join(folder, `file${end}`)).find((each) => existsSync(each));
  return { title, folder, left, ways, file: file === undefined ? undefined : readFileSync(file, 'utf8') };
}

/** A home with only this loop, as recorded. */
export function homeWith({ folder, left }: Story): string {
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-golden-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(path.join(home, 'loops'));
  cpSync(folder, path.join(home, 'loops', left.loop), { recursive: true });
  return home;
}

export function storeWith(story: Story): FileStore {
  return openFileStore({ home: homeWith(story) });
}

export function entriesOf(story: Story): readonly Entry[] {
  const store = storeWith(story);
  const entries = store.entries(story.left.loop);
  store.close();
  return entries;
}

/** Entries that somebody else wrote into the journal: the loop detected them, and no rule made their decisions. */
export function forgedIn(entries: readonly Entry[]): readonly number[] {
  return entries.flatMap(({ event }) => (event.kind === 'tampering-found' ? [event.revision] : []));
}
