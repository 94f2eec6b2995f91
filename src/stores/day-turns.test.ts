import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { countTurn } from './day-turns.ts';

describe('countTurn', () => {
  it('counts per project and day', () => {
    const home = aProject();
    expect([1, 2, 3].map(() => countTurn(home, '/a', '2026-01-01'))).toEqual([1, 2, 3]);
    expect(countTurn(home, '/b', '2026-01-01')).toBe(1);
    expect(countTurn(home, '/a', '2026-01-02')).toBe(1);
  });

  it('forgets the days before, and not the one that a clock which was set back comes to again', () => {
    const home = aProject();
    countTurn(home, '/a', '2026-01-01');
    countTurn(home, '/a', '2026-01-02');
    const folders = readdirSync(path.join(home, 'days')).map((name) => path.join(home, 'days', name));
    expect(folders.flatMap((folder) => readdirSync(folder))).toEqual(['2026-01-02']);
    countTurn(home, '/a', '2026-01-01');
    expect(countTurn(home, '/a', '2026-01-02')).toBe(2);
  });
});
