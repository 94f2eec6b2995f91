import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import type { CheckAnswer } from '../../core/evidence.ts';
import type { RoomBaseline, RoomFacts, RoomSpec } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { enterRoom, keepBaseline } from './clean-room.ts';

const SUITE = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.sh': '[ "$(sh src/add.sh 1 2)" = 3 ] || { echo "1 failing"; exit 1; }\n',
};
const RIGHT = 'echo $(($1 + $2))\n';

type Desk = {
  readonly state: string;
  readonly begin: (tree?: CheckAnswer) => Promise<RoomBaseline>;
  readonly finish: (baseline: RoomBaseline) => Promise<RoomFacts & { kind: 'judged' }>;
};

function aDesk(cwd: string, room: Partial<RoomSpec> = {}): Desk {
  const state = aProject();
  const probe = { kind: 'command', command: 'sh test/add.sh' } as const;
  const spec = aSpec({ checks: [aCheck('unit', { probe })], room: { keep: [], free: [], ...room } });
  const world = {
    baselineOf: () => path.join(state, 'loops/a-loop/baseline'),
    rooms: path.join(state, 'rooms'),
    home: aProject(),
    environment: process.env,
    platform: 'linux' as const,
  };
  const site = { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined };
  return {
    state,
    begin: (tree = 'failed') => runSteps(keepBaseline(site, [aResult('unit', tree)])),
    finish: async (baseline) => {
      const facts = await runSteps(enterRoom(site, { checks: spec.checks, baseline }));
      if (facts.kind !== 'judged') throw new Error(facts.kind);
      return facts;
    },
  };
}

describe('the room', () => {
  it('names settings that came into a folder above it', async () => {
    const cwd = aRepository(SUITE);
    const desk = aDesk(cwd);
    const baseline = await desk.begin();
    put(cwd, { 'src/add.sh': RIGHT });
    const file = path.join(desk.state, '.cargo/config.toml');
    put(desk.state, { '.cargo/config.toml': '' });
    expect((await desk.finish(baseline)).changes).toMatchObject([{ path: file, change: 'added', stands: true }]);
    rmSync(file);
    put(cwd, { 'src/add.sh': `touch ../package.json; ${RIGHT}` });
    expect((await desk.finish(baseline)).changes).toMatchObject([{ change: 'added', stands: true }]);
  });

  it('names a test that its setup rewrites, unless the setup of the start did', async () => {
    const cwd = aRepository({ ...SUITE, 'setup.sh': 'true\n' });
    const desk = aDesk(cwd, { setup: 'sh setup.sh' });
    const baseline = await desk.begin();
    put(cwd, { 'setup.sh': 'echo true > test/add.sh\n' });
    expect((await desk.finish(baseline)).changes).toMatchObject([{ path: 'test/add.sh', stands: true }]);
    const writing = aDesk(cwd, { setup: 'sh setup.sh' });
    const begun = await writing.begin();
    expect(begun).toMatchObject({ written: ['test/add.sh'] });
    expect((await writing.finish(begun)).changes).toEqual([]);
  });

  it('does not suit a test behind a linked folder that names the project by its whole path', async () => {
    const cwd = aRepository({ 'src/add.sh': RIGHT });
    const outside = aProject({ 'add.sh': `[ "$(sh ${cwd}/src/add.sh 1 2)" = 3 ]\n` });
    symlinkSync(outside, path.join(cwd, 'test'));
    expect(await aDesk(cwd).begin('passed')).toMatchObject({
      fits: [{ fit: false, because: 'leads-out', by: 'test/add.sh' }],
    });
  });
});
