import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { handleEvent } from '../../src/engine/handle-event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import { aWiggumVault } from '../support/a-wiggum-vault.ts';

const vault = aWiggumVault();

/** Committed, and its process died before it wrote the file. */
function commitOnly(event: Event, message = ''): void {
  const engine = openEmbeddedEngine({ home: vault.home() });
  const [loop] = engine.store.list({ ended: false });
  engine.run(handleEvent(loop?.state.loop ?? '', event, { message }));
  engine.close();
}

const ENDED: Event = { kind: 'turn-ended', iteration: null, worker: null };
const FAILED: Event = {
  kind: 'turn-failed',
  iteration: null,
  worker: null,
  failure: { class: 'transient', detail: 'ECONNRESET' },
};

describe('the records of a state file', () => {
  it('get every iteration and every error that only the journal has', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'one' });
    commitOnly(FAILED);
    commitOnly(ENDED, 'two');
    commitOnly(FAILED);
    await vault.stop({ output: 'three' });
    expect(vault.readState('RALPH_1')).toMatchObject({
      current_iteration: 3,
      iterations: [
        { number: 1, output_preview: 'one' },
        { number: 2, output_preview: 'two', completed: false },
        { number: 3, output_preview: 'three' },
      ],
      errors: [
        { number: 1, type: 'transient', message: 'ECONNRESET', iteration: 2 },
        { number: 2, type: 'transient', iteration: 3 },
      ],
    });
  });

  it('get what is missing also when the loop ends with the next stop', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'one' });
    commitOnly(ENDED, 'two');
    await vault.stop({ output: '<promise>TASK_COMPLETE</promise>' });
    const { iterations } = vault.readState('RALPH_1', 'Ralph_History');
    expect(iterations).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3, completed: true }]);
  });

  it('stay as short as the user made them', async () => {
    vault.writeState('RALPH_1');
    await vault.stop({ output: 'one' });
    await vault.stop({ error: 'ECONNRESET' });
    await vault.stop({ output: 'two' });
    vault.writeState('RALPH_1', { ...vault.readState('RALPH_1'), iterations: [], errors: [] });
    await vault.stop({ output: 'three' });
    expect(vault.readState('RALPH_1')).toMatchObject({ iterations: [{ number: 3 }], errors: [] });
  });
});
