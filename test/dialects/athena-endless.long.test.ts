/** Never an endless loop: 200 stops at a maximum of 5, in every situation in which a stop cannot be counted. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { handleEvent as handleLoopEvent } from '../../src/engine/handle-event.ts';
import type { ControllerCallbacks, LoopState } from '../../src/facades/athena/index.ts';
import { handleEvent } from '../../src/facades/athena/index.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { AthenaFixture } from '../support/athena-fixture.ts';
import { anAthenaFixture, CONFIG } from '../support/athena-fixture.ts';
import { aTrackerOfTheirs, stopTheirs } from '../support/athena-theirs.ts';
import { WIRINGS } from '../support/athena-wirings.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist-test/athena-drive.mjs');
const canMount = spawnSync('sh', ['-c', 'unshare -m true']).status === 0;
const MAX_5 = { ...CONFIG, maxIterations: 5 };
const STOPS = 200;
type Wires = Pick<ControllerCallbacks, 'getLoopState' | 'updateLoopState' | 'settleStop'>;

function countBlocks(fixture: AthenaFixture, wires: Wires, stops = STOPS): number {
  const callbacks = {
    getRules: () => [],
    enqueuePermission: () => undefined,
    enqueueQuestion: () => undefined,
    ...(fixture.options.logger === undefined ? {} : { logger: fixture.options.logger }),
    ...wires,
  };
  const results = Array.from({ length: stops }, (_, id) =>
    handleEvent({ id: String(id), hookName: 'Stop' }, callbacks),
  );
  return results.filter(({ handled }) => handled).length;
}

describe.each(Object.entries(WIRINGS))('a loop %s', (name, wire) => {
  it('is blocked as often as the maximum says', () => {
    const fixture = anAthenaFixture();
    expect(countBlocks(fixture, wire(fixture.manager(MAX_5)))).toBe(5);
  });

  it('is not blocked while it is paused, reports why, and is blocked again once it is resumed', () => {
    const fixture = anAthenaFixture();
    const wires = wire(fixture.manager(MAX_5));
    expect(countBlocks(fixture, wires, 2)).toBe(2);
    const engine = openEmbeddedEngine({ home: fixture.home });
    const loop = fixture.loops()[0]?.state.loop ?? '';
    engine.run(handleLoopEvent(loop, { kind: 'pause-requested' }));
    expect(countBlocks(fixture, wires)).toBe(0);
    expect(fixture.warnings.join('\n')).toContain(`tireless resume ${loop}`);
    engine.run(handleLoopEvent(loop, { kind: 'resume-requested' }));
    expect(countBlocks(fixture, wires)).toBe(3);
  });

  it('keeps its count when the agent writes the tracker back as it first read it', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager(MAX_5);
    const wires = wire(manager);
    const first = fixture.read() ?? '';
    let blocks = 0;
    while (blocks < STOPS && countBlocks(fixture, wires, 1) === 1) {
      blocks += 1;
      fixture.write(`${first}\nstep ${blocks}\n`);
    }
    expect(blocks).toBe(5);
  });

  it('is not blocked when another session drives its tracker, and reports it, also while that one counts', () => {
    const fixture = anAthenaFixture();
    const { updateLoopState, ...rest } = wire(aTrackerOfTheirs(fixture, MAX_5));
    let left = 3;
    const wires: Wires = {
      ...rest,
      ...(updateLoopState === undefined
        ? {}
        : {
            updateLoopState: (update) => {
              updateLoopState(update);
              if (left-- > 0) stopTheirs(fixture);
            },
          }),
    };
    expect(countBlocks(fixture, wires)).toBe(0);
    expect(fixture.warnings.join('\n')).toContain('another session');
  });

  it.runIf(canMount).each(['home', 'project', 'both'])(
    'is not blocked without being counted when the disk of %s is full (needs the right to mount)',
    (which) => {
      const fixture = anAthenaFixture();
      const disk = path.join(fixture.project, 'disk');
      mkdirSync(disk);
      const home = which === 'project' ? fixture.home : path.join(disk, 'home');
      const tracker = path.join(which === 'home' ? fixture.project : disk, '.athena/sessions/s/loop-tracker.md');
      const script = `mount -t tmpfs -o size=64k tmpfs "$0" || exit 99
        echo go | "$1" "$2" "$3" "$4" "$5" ${STOPS} "$0"`;
      const args = [disk, process.execPath, PROGRAM, home, tracker, name];
      const ran = spawnSync('sh', ['-c', 'exec unshare -m sh -c "$@"', 'sh', script, ...args], { encoding: 'utf8' });
      const said = JSON.parse(ran.stdout.split('\n')[1] ?? '{}');
      expect(said.blocks).toBeLessThanOrEqual(5);
      expect(said.warnings.join('\n')).toContain('ENOSPC');
    },
  );

  it('is blocked as often as the maximum says, and never more, by four processes at once', async () => {
    const fixture = anAthenaFixture();
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [PROGRAM, fixture.home, fixture.file, name, '50'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const outputs = children.map(({ stdout }) => stdout.setEncoding('utf8'));
    await Promise.all(outputs.map((stdout) => once(stdout, 'data')));
    const said = outputs.map(async (stdout) => (await stdout.toArray()).join(''));
    for (const { stdin } of children) stdin.end('go\n');
    const blocks = (await Promise.all(said)).map((text) => Number(JSON.parse(text).blocks));
    expect(blocks.reduce((sum, one) => sum + one, 0)).toBe(5);
    expect(fixture.read()).toMatch(/iteration: 5[\s\S]*active: false/u);
  });
});

describe('a loop in callbacks of someone else', () => {
  const state: LoopState = {
    active: true,
    iteration: 0,
    maxIterations: 5,
    completionMarker: 'A_MARKER_OF_THIS_TEST',
    continueMessage: 'Keep going',
    trackerContent: '',
  };

  it('ends at its maximum also when the callbacks never count, and reports why', () => {
    const fixture = anAthenaFixture();
    let blocks = 0;
    for (let stop = 0; stop < STOPS; stop++)
      blocks += countBlocks(fixture, { getLoopState: () => ({ ...state }), updateLoopState: () => undefined }, 1);
    expect(blocks).toBe(5);
    expect(fixture.warnings.at(-1)).toContain('nothing shows that the stop');
  });
});
