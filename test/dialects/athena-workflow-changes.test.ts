/** What counts when a workflow, or the counter of its tracker, has changed since the loop began. */
import { describe, expect, it } from 'vitest';
import { handleEvent, readWorkflow } from '../../src/facades/athena/index.ts';
import { anAthenaFixture, CONFIG } from '../support/athena-fixture.ts';

describe('a manager whose workflow has other values than the tracker of its loop', () => {
  it('leaves the maximum of the tracker, reports it, and stops there', () => {
    const fixture = anAthenaFixture();
    fixture.manager().settleStop();
    const resumed = fixture.manager({ ...CONFIG, maxIterations: 5 });
    expect(fixture.read()).toContain('max_iterations: 3');
    expect(resumed.getState()).toMatchObject({ iteration: 1, maxIterations: 3 });
    expect(fixture.infos.at(-1)).toContain('it differs from the workflow in maxIterations. The tracker counts');
    let blocks = 0;
    while (resumed.settleStop().action === 'continue') blocks += 1;
    expect(blocks).toBe(2);
    expect(fixture.loops()).toHaveLength(1);
  });

  it('leaves the marker of the tracker, and reports it', () => {
    const fixture = anAthenaFixture();
    fixture.manager().settleStop();
    const resumed = fixture.manager({ ...CONFIG, completionMarker: 'ALL_GREEN' });
    expect(fixture.infos.at(-1)).toContain('the workflow in completionMarker');
    fixture.append('\nALL_GREEN\n');
    expect(resumed.settleStop().action).toBe('continue');
    fixture.append('\nE2E_COMPLETE\n');
    expect(resumed.settleStop()).toEqual({ action: 'stop', reason: 'completion marker found' });
  });

  it('uses what was edited in the tracker', () => {
    const fixture = anAthenaFixture();
    fixture.manager().settleStop();
    fixture.write((fixture.read() ?? '').replace('max_iterations: 3', 'max_iterations: 9'));
    expect(fixture.manager().getState()).toMatchObject({ iteration: 1, maxIterations: 9 });
    expect(fixture.read()).toContain('max_iterations: 9');
    expect(fixture.infos.at(-1)).toContain('the workflow in maxIterations');
  });
});

describe('a counter that is set back in the tracker', () => {
  it('is reported, with the way to begin again', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    const first = fixture.read() ?? '';
    manager.settleStop();
    manager.settleStop();
    fixture.write(first);
    expect(manager.settleStop().action).toBe('continue');
    expect(fixture.warnings.filter((line) => line.includes('was lowered'))).toEqual([
      expect.stringContaining(`tireless cancel ${fixture.loops()[0]?.state.loop ?? ''}`),
    ]);
  });
});

describe('wrong calls', () => {
  it('are explained: the payload of a hook in place of an event', () => {
    const { warnings, options } = anAthenaFixture();
    const event: Record<string, unknown> = { hook_event_name: 'Stop' };
    const callbacks = { getRules: () => [], enqueuePermission: () => undefined, enqueueQuestion: () => undefined };
    expect(
      handleEvent(event as never, { ...callbacks, logger: options.logger ?? { warn: () => {}, info: () => {} } }),
    ).toEqual({
      handled: false,
    });
    expect(warnings).toEqual([expect.stringContaining('hookName')]);
  });

  it('are explained: an object in place of a text, and a value that does not fit', () => {
    expect(readWorkflow({ name: 'x' } as never)).toEqual({
      kind: 'invalid',
      why: 'readWorkflow takes the text of workflow.json, not an object: pass JSON.stringify(workflow)',
    });
    const loop = { enabled: true, completionMarker: 'X', maxIterations: -4 };
    expect(readWorkflow(JSON.stringify({ name: 'x', loop }))).toMatchObject({
      why: 'the loop of the workflow has no usable maxIterations (it is -4)',
    });
  });
});
