import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aCheck, aSpec } from '../../test/support/a-loop.ts';
import type { RoomBaseline } from '../core/room.ts';
import type { ProbeAnswer, ProbeRequest } from '../engine/ports.ts';
import { systemClock } from '../system/clock.ts';
import { thisWorker } from '../system/worker-identity.ts';
import type { JobStart } from './check-jobs.ts';
import { answerJob } from './job-process.ts';
import { askInJob } from './check-jobs.ts';

const COPY = { kind: 'kept', files: 2, judgeFiles: 1, judgeHash: 'h', fits: [] } as const;
const TRIED: RoomBaseline = { ...COPY, fits: [{ name: 'unit', fit: true }] };
/** Two hooks of one loop. The agent works in between, so the files are never the same twice. */
function aTrial() {
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-trial-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const started: JobStart[] = [];
  const vouchers: string[] = [];
  let looks = 0;
  const look = async () => ({ work: `w${looks++}`, all: `a${looks}` });
  const worker = thisWorker(systemClock());
  let waitedMs = 0;
  const spec = aSpec({ checks: [aCheck('unit')] });
  const trial: ProbeRequest = { kind: 'room-baseline', spec, copy: COPY, results: [] };
  const ask = async (leftMs = 0, requests: readonly ProbeRequest[] = [trial]): Promise<RoomBaseline> => {
    const [answer] = await askInJob(
      { loop: 'a', cwd: '/project', requests, inOrder: true, vouchers },
      {
        home,
        start: (start) => void started.push(start),
        hook: worker,
        fingerprint: look,
        sleep: async (ms) => void (waitedMs += ms),
        call: () => 'tireless',
        leftMs: () => leftMs - waitedMs,
      },
    );
    if (answer?.kind !== 'room-baseline') throw new Error('no baseline');
    const { baseline } = answer;
    if (baseline.kind === 'kept' && baseline.trial?.voucher !== undefined) vouchers.push(baseline.trial.voucher);
    return baseline;
  };
  const finish = async (baseline: RoomBaseline = TRIED): Promise<void> => {
    const { key = '', order } = started.at(-1) ?? {};
    const answers: readonly ProbeAnswer[] = [{ kind: 'room-baseline', baseline }];
    await answerJob({ home, loop: 'a', key, worker, order }, async () => answers, look);
  };
  const copy = (leftMs: number): Promise<RoomBaseline> => ask(leftMs, [{ kind: 'room-copy', spec }]);
  return { ask, copy, finish, started, vouchers };
}

describe('a trial of the clean room', () => {
  it('that outlasts its hook is answered later, whatever the agent changed meanwhile', async () => {
    const { ask, finish, started } = aTrial();
    expect(await ask()).toEqual({ ...COPY, trial: { call: 'tireless', voucher: expect.any(String) as string } });
    await finish();
    expect(await ask()).toEqual(TRIED);
    expect(started).toHaveLength(1);
  });

  it('is believed only with a voucher of the journal', async () => {
    const { ask, finish, started, vouchers } = aTrial();
    await ask();
    await finish();
    vouchers.length = 0;
    expect(await ask()).toHaveProperty('trial');
    expect(started).toHaveLength(2);
  });

  it('whose process is gone is still a trial: nobody takes the room away by ending it', async () => {
    const { ask, started } = aTrial();
    expect(await ask(60_000)).toEqual({ ...COPY, trial: { call: 'tireless' } });
    expect(await ask(0)).toHaveProperty('trial');
    expect(started).toHaveLength(2);
  });
});

describe('a copy of the project', () => {
  it('that is not made in time, or whose process is gone, leaves the loop without a room', async () => {
    expect(await aTrial().copy(0)).toEqual({ kind: 'none', why: 'too-slow', detail: '' });
    expect(await aTrial().copy(60_000)).toMatchObject({ kind: 'none', why: 'failed' });
  });
});
