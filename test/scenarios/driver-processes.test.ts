import { existsSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_TIMING } from '../../src/core/loop.ts';
import type { Spec } from '../../src/core/loop.ts';
import { embeddedControl } from '../../src/engine/control.ts';
import type { Control, Loaded } from '../../src/engine/ports.ts';
import { createProbes } from '../../src/evidence/probe.ts';
import { commandAgent } from '../../src/runner/agents/command.ts';
import { demoSpec } from '../../src/runner/demo/demo-spec.ts';
import { prepareDemo } from '../../src/runner/demo/prepare-demo.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { readHeartbeat, writeHeartbeat } from '../../src/stores/heartbeat.ts';
import { systemClock } from '../../src/system/clock.ts';
import { newLoopId } from '../../src/system/ids.ts';
import { thisMachine, thisWorker } from '../../src/system/worker-identity.ts';
import type { Driver } from '../support/a-drive.ts';
import { aDriver, aWorker } from '../support/a-drive.ts';
import { aCheck, aSpec } from '../support/a-loop.ts';
import { aProject } from '../support/a-project.ts';
import { fakeAgent, isRunning, pidIn, until } from '../support/fake-agents.ts';

const clock = systemClock();
const quick = { ...DEFAULT_TIMING, backoffBaseMs: 5, backoffMaxMs: 20 };

let home: string;
let project: string;
let loop: string;

beforeEach(() => {
  home = aProject();
  project = aProject();
  loop = newLoopId(clock.read());
});

/** Another one sees the loop only through the files, as another terminal does. */
function aControl(): Control {
  const { probe } = createProbes({ readHeartbeat: (id) => readHeartbeat(home, id) });
  return embeddedControl(openFileStore({ home }), { readClock: clock.read, probe });
}

async function drive(command: string, spec: Partial<Spec> = {}): Promise<Driver & { readonly control: Control }> {
  const control = aControl();
  await control.start({
    loop,
    spec: aSpec({ timing: quick, ...spec }),
    session: null,
    cwd: project,
    machine: thisMachine(),
  });
  return driveOn(control, command);
}

function driveOn(control: Control, command: string): Driver & { readonly control: Control } {
  const stage = {
    control,
    heartbeat: (reading: ReturnType<typeof clock.read>) => void writeHeartbeat(home, loop, reading),
  };
  const agent = commandAgent({ command, killGraceMs: 300 });
  const options = { loop, worker: thisWorker(clock), projectExists: existsSync };
  const driver = aDriver(stage, clock, agent, options);
  onTestFinished(async () => {
    driver.interrupt();
    driver.interrupt();
    await driver.end.catch((error: unknown) => error);
  });
  return { ...driver, control };
}

async function stateOf(control: Control): Promise<Loaded['state'] | undefined> {
  return (await control.get(loop))?.state;
}

describe('a driver of real processes', () => {
  it('halts an agent that exits at once, again and again, as failed', async () => {
    const { loaded } = await (await drive('echo started >> starts; echo broken >&2; exit 1')).end;
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'faults-in-row', actual: 3 });
    expect(readFileSync(path.join(project, 'starts'), 'utf8')).toBe('started\n'.repeat(3));
    expect(loaded.state.lastTrouble).toEqual({ code: 'turn-failed', detail: 'exit code 1: broken' });
  });

  it('halts at once when the agent command does not exist', async () => {
    const { loaded } = await (await drive('no-such-agent --please')).end;
    expect(loaded.state.outcome).toMatchObject({
      kind: 'halted',
      guard: 'agent-failed',
      detail: expect.stringContaining('not found'),
    });
    expect(loaded.state.faults).toBe(1);
  });

  it('halts an agent that ends well and does nothing', async () => {
    const { loaded } = await (await drive('true', { checks: [aCheck('false')] })).end;
    expect(loaded.state.outcome).toMatchObject({ kind: 'halted', guard: 'no-progress' });
  });

  it('completes as verified on the last allowed iteration', async () => {
    const limits = { ...DEFAULT_LIMITS, iterationsMax: 3 };
    const { loaded } = await (
      await drive('cat >/dev/null; echo x >> count', { limits, checks: [aCheck('test "$(wc -l < count)" -ge 3')] })
    ).end;
    expect(loaded.state).toMatchObject({ outcome: { kind: 'completed', verified: true }, counted: 3 });
  });

  it('ends an agent that ignores SIGTERM on the second Ctrl-C', async () => {
    const driver = await drive(fakeAgent('ignores-sigterm', path.join(project, 'pid')));
    const pid = await pidIn(path.join(project, 'pid'));
    driver.interrupt();
    driver.interrupt();
    expect((await driver.end).ended).toBe('interrupted');
    expect(isRunning(pid)).toBe(false);
    await until(() => openFileStore({ home }).load(loop)?.state.status === 'paused');
  });

  it('stops a running agent when another process cancels the loop', async () => {
    const driver = await drive(fakeAgent('double-forks', path.join(project, 'pid'), 'stays'));
    const pid = await pidIn(path.join(project, 'pid'));
    await aControl().cancel(loop);
    const { ended, loaded } = await driver.end;
    expect(ended).toBe('loop-ended');
    expect(loaded.state).toMatchObject({ status: 'cancelled', worker: null });
    expect(isRunning(pid)).toBe(false);
  });

  it('cuts a silent agent at its idle timeout and kills what it forked', async () => {
    const limits = { ...DEFAULT_LIMITS, iterationsMax: 1 };
    const driver = await drive(fakeAgent('double-forks', path.join(project, 'pid'), 'stays'), {
      limits,
      timing: { ...quick, idleTimeoutMs: 1500 },
    });
    const pid = await pidIn(path.join(project, 'pid'));
    const { loaded } = await driver.end;
    expect(loaded.state).toMatchObject({ counted: 1, lastTrouble: { code: 'idle-timeout' }, lastMessage: 'forked\n' });
    expect(isRunning(pid)).toBe(false);
  });

  it('kills a check that runs when the user interrupts', async () => {
    const check = fakeAgent('ignores-sigterm', path.join(project, 'pid'));
    const driver = await drive('true', { checks: [aCheck(check), aCheck('sleep 60')], checksInOrder: true });
    const pid = await pidIn(path.join(project, 'pid'));
    driver.interrupt();
    expect((await driver.end).ended).toBe('paused');
    expect(isRunning(pid)).toBe(false);
  });

  it('pauses when the agent deletes the project directory', async () => {
    const driver = await drive(fakeAgent('deletes-project'));
    await expect(driver.end).rejects.toMatchObject({ code: 'PROJECT_MISSING' });
    expect(await stateOf(driver.control)).toMatchObject({ status: 'paused', worker: null, counted: 0 });
  });

  it('ends what a dead driver left running before it continues under the same number', async () => {
    const control = aControl();
    await control.start({ loop, spec: aSpec({ timing: quick }), session: null, cwd: project, machine: thisMachine() });
    // Dead: no process has this pid and this start time.
    await control.post(loop, {
      kind: 'worker-leased',
      worker: { ...thisWorker(clock), ...aWorker('dead'), machine: thisMachine(), startTime: 'long ago' },
    });
    await control.post(loop, { kind: 'baseline-taken' });
    await control.post(loop, { kind: 'iteration-began', iteration: 1, worker: 'dead' });
    const orphan = spawn('sleep', ['300'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, TIRELESS_LOOP: loop },
    });
    const exited = new Promise((resolve) => orphan.on('exit', resolve));
    const { loaded } = await driveOn(control, `echo "$TIRELESS_ITERATION"; echo '<promise>DONE</promise>'`).end;
    await exited;
    expect(loaded.state).toMatchObject({ status: 'completed', counted: 1, faults: 1 });
    expect(loaded.state.lastMessage).toContain('1\n');
  });

  it('refuses a second driver while the first is alive', async () => {
    const first = await drive(fakeAgent('ignores-sigterm', path.join(project, 'pid')));
    await pidIn(path.join(project, 'pid'));
    const second = driveOn(aControl(), 'true');
    await expect(second.end).rejects.toMatchObject({
      code: 'LOOP_BUSY',
      message: expect.stringContaining(String(process.pid)),
    });
    first.interrupt();
    expect((await first.end).ended).toBe('paused');
  });
});

describe('the demo', () => {
  it('repairs a real code base step by step, is refused once, and ends verified', async () => {
    prepareDemo(project);
    const spec = demoSpec(process.execPath);
    const driver = await drive(spec.agent?.kind === 'command' ? spec.agent.command : '', spec);
    const { loaded } = await driver.end;
    expect(loaded.state.outcome).toMatchObject({ kind: 'completed', verified: true });
    expect(loaded.state.counted).toBe(4);
    const turns = (await driver.control.entries(loop)).filter((entry) => entry.event.kind === 'turn-ended');
    expect(
      turns.map(({ evidence, decision }) => [
        evidence.claim?.made ?? null,
        evidence.checks?.[0]?.result,
        decision.kind,
      ]),
    ).toEqual([
      [null, 'failed', 'continue'],
      [null, 'failed', 'continue'],
      ['DONE', 'failed', 'continue'],
      ['DONE', 'passed', 'complete'],
    ]);
  });

  it('refuses a directory that holds a project', () => {
    prepareDemo(project);
    expect(() => prepareDemo(project)).toThrow(/already/u);
  });
});
