/**
 * Tests that must fail. Product code and tests share one process, in which the product can keep every test from failing, in ways that
 * reading its lines would not reveal. So the judge itself is tested: with tests that must fail and with changed expected values, a check
 * must not pass.
 */
import { randomInt } from 'node:crypto';
import type { FileChange } from '../signs/find-signs.ts';
import { javascript } from './javascript.ts';
import type { PlantedTests, Planter } from './planter.ts';
import { python } from './python.ts';

const PLANTERS: readonly Planter[] = [javascript, python];

const BY_EXTENSION: ReadonlyMap<string, Planter> = new Map(
  PLANTERS.flatMap((planter) => planter.extensions.map((extension) => [extension, planter])),
);
/** Code that runs, but whose lines cannot be read. */
const BINARY = /\.(?:node|wasm|so|dylib|pyd|pyc|pth)$/;
const TAG_MIN = 1_000_000;
const TAG_STEP = 1000;
const TAGS = 8_000;

/** `broken`: a third version, which fails by itself. */
export type PlantedFile = PlantedTests & { readonly tag: number; readonly broken: string };

export function planterOf(path: string): Planter | undefined {
  return BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Does the agent's product code reach anything but its own values? If not, it cannot keep a test from failing. */
export function hasOuterEffects(changes: readonly FileChange[]): boolean {
  return changes.some(({ path, isTest, before, after }) => {
    const planter = planterOf(path);
    if (isTest || after === undefined || planter === undefined) return false;
    const old = new Set(before?.split('\n').map((line) => line.trim()));
    // Python reads full-width letters in names as the plain ones.
    return after.split('\n').some((line) => !old.has(line.trim()) && planter.reaches.test(line.normalize('NFKC')));
  });
}

export function isBinary(path: string): boolean {
  return BINARY.test(path);
}

/** Plants tests in test files, given by path. The tags are random, so that the product cannot know them. */
export function plantTests(files: ReadonlyMap<string, string>): ReadonlyMap<string, PlantedFile> {
  let tag = TAG_MIN + randomInt(TAGS) * TAG_STEP;
  const planted = new Map<string, PlantedFile>();
  for (const [path, text] of files) {
    const planter = planterOf(path);
    tag += 2;
    const made = planter?.plant(text, tag);
    if (planter !== undefined && made !== undefined) planted.set(path, { ...made, tag, broken: planter.broken(tag) });
  }
  return planted;
}
