import { describe, expect, it } from 'vitest';
import { textAfterLoop } from './text-after-loop.ts';
import type { World } from './services.ts';

/** A world whose only loop begins with 2611. */
const world = {
  services: {
    store: () => Promise.resolve({ load: () => undefined, list: () => [{ state: { loop: '261118-1200-abcdef' } }] }),
  },
} as unknown as World;

describe('textAfterLoop', () => {
  it.each([
    [['2611', 'x'], '2611', 'x'],
    [['use', 'the', 'parser'], undefined, 'use the parser'],
    [['use the parser'], undefined, 'use the parser'],
    [['hurry'], undefined, 'hurry'],
    [['Hurry', 'up'], undefined, 'Hurry up'],
  ])('takes %j', async (words, given, text) => {
    expect(await textAfterLoop(words, world)).toEqual({ given, text });
  });

  it.each([[['nope', 'x']], [['2612', 'use the parser']], [['nope', '-']]])(
    'takes the first of %j for a mistyped loop',
    async (words) => {
      await expect(textAfterLoop(words, world)).rejects.toMatchObject({
        code: 'LOOP_NOT_FOUND',
        message: expect.stringContaining('put the text in quotes') as string,
      });
    },
  );
});
