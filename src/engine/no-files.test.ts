import { expect, it } from 'vitest';
import { Bug } from '../core/fault.ts';
import { NO_FILES } from './no-files.ts';

it.each(['newLoop', 'readFile', 'hashText', 'replaceFile', 'tryWrite', 'countTurn'] as const)(
  'a composition without dialects has no %s',
  (name) => {
    expect(() => (NO_FILES[name] as () => unknown)()).toThrow(Bug);
  },
);
