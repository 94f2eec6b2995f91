import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { Fault } from '../core/fault.ts';
import { loopOf } from '../core/journal.ts';
import type { Spec } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { unwrittenFault } from './post-event.ts';

const IN_FILE: Partial<Spec> = { dialect: { name: 'loop-mechanics', file: '.loop/state.json' } };
const at = (revision: number, state: Parameters<typeof aState>[0] = {}, spec = IN_FILE): Loaded => ({
  ...loopOf(aSpec(spec), aState({ loop: '26a-1', ...state })),
  head: { revision, hash: 'h' },
});
const cancelled = at(2, { status: 'cancelled', outcome: { kind: 'cancelled' } });
const readOnly = new Fault(
  'STORE_UNWRITABLE',
  'Cannot write /p/.loop/state.json: the file system is read-only (EROFS). Mend it.',
);

describe('a command whose state file cannot be written', () => {
  it('reports what happened to the loop, the file, the reason and what to do', () => {
    expect(unwrittenFault(readOnly, at(1), cancelled)).toMatchObject({
      code: 'STORE_UNWRITABLE',
      message:
        'Loop 26a-1 was cancelled, but its state file does not say so yet. Cannot write /p/.loop/state.json: the file system is read-only (EROFS). Mend it. The next stop in its session writes it.',
    });
  });

  it('reports only the fault if nothing was recorded, or if it is another one', () => {
    const other = new Fault('STATE_CONFLICT', 'Others were faster.');
    expect(unwrittenFault(readOnly, at(1), at(1))).toBe(readOnly);
    expect(unwrittenFault(readOnly, at(1), undefined)).toBe(readOnly);
    expect(unwrittenFault(other, at(1), cancelled)).toBe(other);
  });

  it('reports only the fault if an edit of the file was recorded, but not the event', () => {
    expect(unwrittenFault(readOnly, at(1), at(2))).toBe(readOnly);
  });

  it('reports only the fault for a loop without a state file', () => {
    const state = { status: 'cancelled', outcome: { kind: 'cancelled' } } as const;
    expect(unwrittenFault(readOnly, at(1, {}, {}), at(2, state, {}))).toBe(readOnly);
  });
});
