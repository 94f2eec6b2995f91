import path from 'node:path';
import { parseTree } from 'jsonc-parser';
import { readFrontMatter } from '../../src/dialects/front-matter.ts';
import { readJson } from '../../src/dialects/json-file.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectHandled } from '../../src/engine/dialect-loop.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import type { Pipeline } from '../../src/engine/pipeline.ts';
import type { Effects } from '../../src/engine/ports.ts';
import { sha256 } from '../../src/system/ids.ts';
import { PROJECT } from './dialect-world.ts';

/** One stop that has not run yet: to be crashed, or run next to another. `size` distinguishes two stops, as the transcript does. */
export function aStopOf(
  dialect: Dialect,
  file: string,
  stop: { readonly message: string; readonly size: number; readonly session: string | null },
): Pipeline<DialectHandled> {
  const { message, size, session } = stop;
  return handleDialectEvent(
    {
      live: { dialect, path: path.posix.join(PROJECT, file) },
      cwd: PROJECT,
      file,
      session: session === null ? null : { host: 'claude-code', id: session },
    },
    {
      kind: 'turn-ended',
      iteration: null,
      worker: null,
      mark: { messageHash: sha256(message), transcriptBytes: size },
    },
    { message },
  );
}

/** The power fails right before the nth effect. */
export function crashingAt(effects: Effects, nth: number): Effects {
  let seen = 0;
  return new Proxy(effects, {
    get: (target, name: keyof Effects) => {
      if (++seen === nth) throw new Error('the power failed');
      return target[name];
    },
  });
}

/** Two pipelines in one world: `turns` determines which one makes the next request (`true` = the second one). */
export function interleaved<R>(
  first: Pipeline<R>,
  second: Pipeline<R>,
  effects: Effects,
  turns: Iterable<boolean>,
): R[] {
  const both = [first, second];
  const steps = both.map((each) => each.next());
  const advance = (at: 0 | 1): void => {
    const step = steps[at];
    if (step === undefined || step.done === true) return;
    const { effect, input } = step.value;
    const perform = effects[effect] as (...given: unknown[]) => unknown;
    steps[at] = both[at]!.next(perform(...input));
  };
  for (const isSecond of turns) advance(isSecond ? 1 : 0);
  for (const at of [0, 1] as const) while (steps[at]?.done !== true) advance(at);
  return steps.map((step) => step.value as R);
}

/** What a new version lost or changed of the user's text, apart from `keys`; empty = nothing. */
export function lostOf(before: string, after: string, keys: readonly string[]): string[] {
  const values = [readJson(before), readJson(after)];
  if (values.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value))) {
    const [old = {}, now = {}] = values as Record<string, unknown>[];
    const lost = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
      (key) => !keys.includes(key) && JSON.stringify(old[key]) !== JSON.stringify(now[key]),
    );
    return laidOut(before, keys) === laidOut(after, keys, before) ? lost : [...lost, 'bytes beside the keys'];
  }
  const ours = new RegExp(String.raw`^\uFEFF?\s*["']?(?:${keys.join('|')})["']?\s*:`, 'u');
  const kept = after.split('\n');
  let at = 0;
  const lost = before.split('\n').filter((line) => {
    if (ours.test(line)) return false;
    const found = kept.indexOf(line, at);
    if (found !== -1) at = found + 1;
    return found === -1;
  });
  const bodies = [readFrontMatter(before)?.body, readFrontMatter(after)?.body];
  return bodies[0] === bodies[1] ? lost : [...lost, 'the body'];
}

/** If several keys share one line of many, writing one of them may give each its own line. Everything else is the same, byte for byte. */
function laidOut(text: string, keys: readonly string[], original = text): string {
  const rest = withoutKeys(text, keys);
  return original.trim().includes('\n') ? rest.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gu, '$1') : rest;
}

/** The text without what a document lets a program write, byte for byte: the rest is the same in both versions. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const tree = readJson(text) === undefined ? undefined : parseTree(text.replace(/^\uFEFF/u, ' '));
  if (tree?.children === undefined) {
    const end = text.length - (readFrontMatter(text)?.body.length ?? 0);
    const ours = new RegExp(String.raw`^["']?(?:${keys.join('|')})["']?[ \t]*:.*(?:\n|$)`, 'gmu');
    return text.slice(0, end).replaceAll(ours, '') + text.slice(end);
  }
  const ours = tree.children.filter((property) => keys.includes(String(property.children?.[0]?.value)));
  return ours.reduceRight((now, { offset, length }) => {
    const [before, after] = [now.slice(0, offset), now.slice(offset + length)];
    // Its comma is removed too: the one before it, or, for the first key, the one after it.
    const isFirst = !/,\s*$/u.test(before);
    return isFirst ? before + after.replace(/^\s*,?\s*/u, '') : before.replace(/\s*,\s*$/u, '') + after;
  }, text);
}

/** Adds a user's note where the format has room for one. */
export function annotated(text: string, note: string): string {
  const value = readJson(text);
  if (typeof value !== 'object' || value === null) return `${text}\n${note}\n`;
  const open = text.indexOf('{') + 1;
  const comma = Object.keys(value).length === 0 ? '' : ',';
  return `${text.slice(0, open)}${JSON.stringify('my_note')}: ${JSON.stringify(note)}${comma}${text.slice(open)}`;
}
