import { expect, it } from 'vitest';
import { assert } from './fault.ts';

it('a failed assertion is a bug by name, with its sentence', () => {
  expect(() => assert(false, 'an iteration is counted once')).toThrow(
    expect.objectContaining({ name: 'Bug', message: 'an iteration is counted once' }) as Error,
  );
  expect(() => assert(true, 'never shown')).not.toThrow();
});
