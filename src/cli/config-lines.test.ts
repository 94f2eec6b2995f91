import { describe, expect, it } from 'vitest';
import { lineOf } from './config-lines.ts';

const TEXT = `{
  "a \\" b": "x, }",
  "checks": [
    { "name": "one" },

    { "name": "two",
      "holdout": [1, {"deep": 2}] }
  ], "limits": {
    "maxTokens": 5
  }
}`;

describe('lineOf', () => {
  it.each<[readonly PropertyKey[], number]>([
    [[], 1],
    [['a " b'], 2],
    [['checks'], 3],
    [['checks', 0], 4],
    [['checks', 1, 'holdout'], 7],
    [['checks', 1, 'holdout', 1, 'deep'], 7],
    [['limits', 'maxTokens'], 9],
    [['limits', 'missing'], 8],
    [['checks', 9], 3],
  ])('finds %j in line %i', (path, line) => {
    expect(lineOf(TEXT, path)).toBe(line);
  });
});
