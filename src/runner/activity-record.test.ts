import { describe, expect, it } from 'vitest';
import { aClock } from '../../test/support/a-loop.ts';
import type { AgentActivity } from '../engine/ports.ts';
import { activityRecorder, CHARS_PER_ITERATION_MAX } from './activity-record.ts';

function record(activities: readonly AgentActivity[], rerun = false): readonly unknown[] {
  const lines: string[] = [];
  const activity = (line: string): void => void lines.push(line);
  const write = activityRecorder({ clock: { read: aClock }, activity }, { iteration: 4, rerun });
  for (const each of activities) write(each);
  return lines.map((line): unknown => JSON.parse(line));
}

describe('activity recorder', () => {
  it('writes a line of JSON per sign of life, also when the text has line breaks', () => {
    const at = '2026-01-01T00:00:00.000Z';
    expect(
      record([
        { kind: 'output', stream: 'message', text: 'one\ntwo\n' },
        { kind: 'tool-used', tool: 'edit', detail: 'a.js' },
        { kind: 'ended', end: { message: '' } },
      ]),
    ).toEqual([
      { at, iteration: 4, kind: 'message', text: 'one\ntwo\n' },
      { at, iteration: 4, kind: 'tool', text: 'edit a.js' },
    ]);
  });

  it('marks an iteration that runs again', () => {
    expect(record([], true)).toEqual([
      { at: '2026-01-01T00:00:00.000Z', iteration: 4, kind: 'note', text: 'this iteration runs again' },
    ]);
  });

  it('leaves out the rest of a flood and reports that once', () => {
    const flood = { kind: 'output', stream: 'message', text: 'x'.repeat(CHARS_PER_ITERATION_MAX / 4) } as const;
    const lines = record(Array.from({ length: 20 }, () => flood));
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatchObject({ kind: 'note' });
  });
});
