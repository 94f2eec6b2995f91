import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../test/support/a-loop.ts';
import { aProject, aRepository } from '../../test/support/a-project.ts';
import type { ProbeAnswer, ProbeRequest } from '../engine/ports.ts';
import { createProbes } from './probe.ts';

it('a probe copies the project, tries the room, hashes the work and enters the room', async () => {
  const home = aProject();
  const cwd = aRepository({ 'test/a.sh': 'exit 0\n' });
  const rooms = {
    baselineOf: () => path.join(home, 'baseline'),
    rooms: path.join(home, 'rooms'),
    home: path.join(home, 'user'),
    environment: process.env,
    platform: 'linux' as const,
  };
  mkdirSync(rooms.home);
  const { probe } = createProbes({ readHeartbeat: () => null, rooms });
  const ask = async (request: ProbeRequest): Promise<ProbeAnswer | undefined> =>
    (await probe({ loop: 'a', cwd, requests: [request], inOrder: true }))[0];
  const checks = [aCheck('unit', { probe: { kind: 'command', command: 'sh test/a.sh' } })];
  const spec = aSpec({ checks, room: { keep: [], free: [] } });

  const copy = await ask({ kind: 'room-copy', spec });
  if (copy?.kind !== 'room-baseline' || copy.baseline.kind !== 'kept') throw new Error('nothing was copied');
  expect(await ask({ kind: 'room-copy', spec, settles: copy.baseline })).toEqual(copy);
  const results = [aResult('unit', 'passed')];
  const kept = await ask({ kind: 'room-baseline', spec, copy: copy.baseline, results });
  expect(kept).toMatchObject({
    kind: 'room-baseline',
    baseline: { kind: 'kept', fits: [{ name: 'unit', fit: true }] },
  });
  if (kept?.kind !== 'room-baseline' || kept.baseline.kind !== 'kept') throw new Error('nothing was kept');
  const work = await ask({ kind: 'work', spec, baseline: kept.baseline });
  expect(work).toMatchObject({ kind: 'work', hash: expect.stringMatching(/^[0-9a-f]{64}$/u) });
  expect(await ask({ kind: 'room', spec, checks, baseline: kept.baseline })).toMatchObject({
    kind: 'room',
    facts: { kind: 'judged', work: work?.kind === 'work' ? work.hash : '', runs: [{ name: 'unit' }] },
  });
});
