import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import type { State } from '../core/loop.ts';
import { widthOf } from './fit-width.ts';
import type { TableRow } from './loop-table.ts';
import { ageText, loopTable } from './loop-table.ts';

const NOW = Date.parse('2026-11-17T16:00:00.000Z');
const ID = '261117-1628-nm2vs1';
const HALTED = { kind: 'halted', guard: 'no-progress', limit: 3, actual: 3 } as const;

function aRow(goal: string, state: Partial<State> = {}, project = 'shop'): TableRow {
  const updatedAt = '2026-11-17T13:00:00.000Z';
  return { spec: aSpec({ goal }), state: aState({ loop: ID, updatedAt, ...state }), project };
}

describe('loopTable', () => {
  it('has project and age, and cuts the goal, never the id', () => {
    const rows = [
      aRow('Make the tests of the corner shop pass\nand keep them so for good'),
      aRow('x', { status: 'halted', outcome: { kind: 'halted', guard: 'iterations-max', detail: '' } as never }),
    ];
    expect(loopTable(rows, { columns: 80, nowMs: NOW })).toEqual([
      'LOOP                STATUS   RESULT          AGE  PROJECT  GOAL',
      `${ID}  running                  3h   shop     Make the tests of th…`,
      `${ID}  halted   iterations-max  3h   shop     x`,
    ]);
  });

  it.each([50, 60, 70, 80, 81, 100, 120, 200])('stays within %i columns, whatever is in it', (columns) => {
    const rows = [
      aRow('漢'.repeat(200), { status: 'cancelled' }, '漢'.repeat(40)),
      aRow(
        '\u001B[2Jgoal '.repeat(50),
        { usage: { costUsd: 1234.5, tokens: 99_000_000 } },
        'a-rather-long-project-name',
      ),
      aRow('a goal', { status: 'halted', outcome: { kind: 'halted', guard: 'faults-in-row', detail: '' } as never }),
    ];
    const lines = loopTable(rows, { columns, nowMs: NOW });
    const most = Math.max(...lines.map(widthOf));
    expect(most).toBeLessThanOrEqual(columns);
    for (const line of lines.slice(1)) expect(line.startsWith(`${ID} `)).toBe(true);
    expect(lines.join('')).not.toContain('\u001B');
  });

  it('shows iterations and what was used where there is room', () => {
    const rows = [aRow('a goal', { counted: 2, usage: { costUsd: 0.8, tokens: 24_000 } })];
    const [head = '', row = ''] = loopTable(rows, { columns: 120, nowMs: NOW });
    expect(head).toContain('ITERATION  USED');
    expect(row).toContain('$0.80 24k tokens');
    expect(loopTable(rows, { columns: 80, nowMs: NOW })[0]).not.toContain('USED');
  });
});

it('leaves out the age and then the result on a narrow terminal, so that a goal can be recognized', () => {
  const rows = [aRow('make the tests pass', { status: 'halted', outcome: HALTED }, 'shop')];
  const titles = (columns: number): string => loopTable(rows, { columns, nowMs: NOW })[0] ?? '';
  expect(titles(80)).toMatch(/^LOOP +STATUS +RESULT +AGE +PROJECT +GOAL$/u);
  expect(titles(63)).toMatch(/^LOOP +STATUS +RESULT +PROJECT +GOAL$/u);
  expect(titles(56)).toMatch(/^LOOP +STATUS +PROJECT +GOAL$/u);
  expect(loopTable(rows, { columns: 60, nowMs: NOW })[1]).toContain('make the te');
});

describe('ageText', () => {
  it.each([
    [-5, '0s'],
    [Number.NaN, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [3_600_000, '1h'],
    [86_399_999, '23h'],
    [40 * 86_400_000, '40d'],
  ])('tells %i ms as %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});
