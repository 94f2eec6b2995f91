import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fakeAgent, isRunning, pidIn } from '../support/fake-agents.ts';
import { codeIn, expectNothingLost, idIn, onlyLoop, watchMemory, within } from '../support/fake-agents/watch.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const GROWTH_MB_MAX = 250;
/** Without a bound this reader costs about 100 MB; the 4 MB it may cost are lost in the noise. */
const UNREAD_GROWTH_MB_MAX = 85;
const GONE_MS = 8000;
const canMount = spawnSync('sh', ['-c', 'unshare -m true']).status === 0;

/** Without a namespace: what is shown here is what the nets catch, and pids mean the same inside and outside. */
const agent = (command: string): readonly string[] => ['run', 'goal', '--no-contain', '--agent-command', command];
const fileOf = (user: User, name: string): string => path.join(user.project, name);
const linesOf = (user: User, name: string): readonly string[] =>
  readFileSync(fileOf(user, name), 'utf8').trim().split('\n');

describe('a gigabyte', () => {
  it('of an agent goes through in bounded memory, and its claim at the end is heard', async () => {
    const user = aUser();
    const running = user.starts(agent(fakeAgent('floods', '1024')));
    await running.says('iteration 1 of');
    const memory = watchMemory(running.child.pid);
    const { code, stdout } = await running.end;
    expect(memory.stop()).toBeLessThan(GROWTH_MB_MAX);
    expect(code).toBe(0);
    const { id } = await onlyLoop(user);
    const dir = path.join(user.home, 'loops', id);
    expect(statSync(path.join(dir, 'journal.jsonl')).size).toBeLessThan(100_000);
    expect(statSync(path.join(dir, 'activity.jsonl')).size).toBeLessThan(20_000_000);
    expect(stdout.length).toBeLessThan(10_000);
    await expectNothingLost(user, id);
  });

  it('of an agent is not kept for a reader of --json=stream who does not read', async () => {
    const user = aUser();
    const running = user.starts([...agent(`${fakeAgent('floods', '1024')}; touch flooded`), '--json=stream']);
    await running.says('iteration-began');
    const memory = watchMemory(running.child.pid);
    running.child.stdout?.pause();
    await within(
      120_000,
      'the agent has said it all',
      () => spawnSync('test', ['-e', fileOf(user, 'flooded')]).status === 0,
    );
    expect(memory.stop()).toBeLessThan(UNREAD_GROWTH_MB_MAX);
    running.child.stdout?.resume();
    const { code, stdout } = await running.end;
    expect(code).toBe(0);
    // What it does get is whole: every line is an object, and the last is the loop.
    const lines = stdout.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ status: 'completed' });
    expect(lines.map((line) => (JSON.parse(line) as { kind?: string }).kind)).toContain('decided');
  });

  it('of a check goes through in bounded memory', async () => {
    const user = aUser();
    const flood = `head -c 1073741824 /dev/zero | tr '\\0' x; [ -e done ]`;
    const running = user.starts([...agent('cat >/dev/null; touch done'), '--check', `flood:: ${flood}`]);
    await running.says('before the first iteration');
    const memory = watchMemory(running.child.pid);
    expect((await running.end).code).toBe(0);
    expect(memory.stop()).toBeLessThan(GROWTH_MB_MAX);
    await expectNothingLost(user, (await onlyLoop(user)).id);
  });
});

describe('a thousand turns', () => {
  it('of an agent that exits at once are driven one by one when all limits allow it, in flat memory', async () => {
    const user = aUser();
    const running = user.starts([
      ...agent('echo "$TIRELESS_ITERATION" >> turns'),
      '--max-iterations',
      '1000',
      '--max-no-progress',
      'unlimited',
    ]);
    await running.says('iteration 20 of 1000');
    const memory = watchMemory(running.child.pid);
    const { code, stdout } = await running.end;
    expect(memory.stop()).toBeLessThan(100);
    expect(code).toBe(3);
    expect(stdout).toContain('halted: 1000 of 1000 iterations used');
    expect(linesOf(user, 'turns')).toEqual(Array.from({ length: 1000 }, (_, index) => String(index + 1)));
    await expectNothingLost(user, (await onlyLoop(user)).id);
  });

  it('of an agent that fails at once are not driven: the default ends it after three', async () => {
    const user = aUser();
    const { code, stdout } = await user.tireless([...agent('echo x >> turns; exit 1'), '--max-iterations', '1000']);
    expect(code).toBe(6);
    expect(stdout).toContain('halted: 3 agent faults in a row (3 allowed)');
    expect(linesOf(user, 'turns')).toHaveLength(3);
    await expectNothingLost(user, idIn(stdout));
  });
});

describe('an agent that ignores SIGTERM', () => {
  it('is ended by one Ctrl-C, after a grace, and the loop can continue', async () => {
    const user = aUser();
    const running = user.starts(agent(fakeAgent('ignores-sigterm', fileOf(user, 'pid'))));
    const pid = await pidIn(fileOf(user, 'pid'));
    running.child.kill('SIGINT');
    const { code, stdout } = await running.end;
    expect(code).toBe(4);
    expect(stdout).toContain(`resume with: tireless resume ${idIn(stdout)}`);
    expect(isRunning(pid)).toBe(false);
    await expectNothingLost(user, idIn(stdout));
  });
});

describe('tireless killed with -9 twice in a row', () => {
  it('continues at the same iteration, with the time it worked and not the time it was dead', async () => {
    const user = aUser();
    // Iteration 1 is quick; in iteration 2 the first two agents fork, stay and keep their pid; the third is done.
    const stays = fakeAgent('double-forks', '"$PWD"/pid-$n', 'stays').replaceAll(`'"$PWD"/pid-$n'`, '"$PWD"/pid-$n');
    const script = `cat >/dev/null; echo "$TIRELESS_ITERATION" >> turns; n=$(wc -l < turns | tr -d ' '); case $n in 1) ;; 2|3) ${stays} ;; *) touch done ;; esac`;
    const drivers = [() => user.starts([...agent(script), '--check-exists', 'done']), () => user.starts(['resume'])];
    let id = '';
    for (const [round, drive] of drivers.entries()) {
      const running = drive();
      const detached = await pidIn(fileOf(user, `pid-${round + 2}`));
      id = (await onlyLoop(user)).id;
      const beat = path.join(user.home, 'loops', id, 'heartbeat');
      const first = statSync(beat).mtimeMs;
      // Two more beats: at least a second of work that only they tell of.
      await within(10_000, 'the driver beats', () => statSync(beat).mtimeMs - first > 1900);
      running.child.kill('SIGKILL');
      await running.end;
      await within(GONE_MS, 'the agent and its detached child are gone', () => !isRunning(detached));
      const died = Date.now();
      await within(20_000, 'time goes by', () => Date.now() - died > 4000);
    }
    const { code, stdout } = await user.tireless(['resume', id, '--json']);
    expect(code).toBe(0);
    const view = JSON.parse(stdout) as { iteration: number; usage: unknown };
    expect(view).toMatchObject({ iteration: 2, status: 'completed', outcome: { verified: true } });
    expect(linesOf(user, 'turns')).toEqual(['1', '2', '2', '2']);
    const explained = (await user.tireless(['explain', id])).stdout;
    const workedSeconds = Number(/([\d.]+)s of 4h running time(?![^]*running time)/u.exec(explained)?.[1]);
    // Twice two seconds of work; twice four seconds of death are no work.
    expect(workedSeconds).toBeGreaterThanOrEqual(3);
    expect(workedSeconds).toBeLessThan(9);
    await expectNothingLost(user, id);
  });

  it('is driven by one of many resumes, each time', async () => {
    const user = aUser();
    const script = `cat >/dev/null; echo "$TIRELESS_ITERATION" >> turns; echo $$ > pid-$(wc -l < turns | tr -d ' '); [ -e go ] || exec sleep 60; sleep 0.5; touch done`;
    const running = user.starts([...agent(script), '--check-exists', 'done']);
    await pidIn(fileOf(user, 'pid-1'));
    running.child.kill('SIGKILL');
    await running.end;
    const { id } = await onlyLoop(user);
    const racers = Array.from({ length: 4 }, () => user.starts(['resume', id]));
    const agentPid = await pidIn(fileOf(user, 'pid-2'));
    const winner = await winnerOf(racers);
    expect(isRunning(agentPid)).toBe(true);
    winner.child.kill('SIGKILL');
    await winner.end;
    spawnSync('touch', [fileOf(user, 'go')]);
    const again = await Promise.all(Array.from({ length: 4 }, () => user.tireless(['resume', id])));
    expect(again.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(new Set(again.filter(({ code }) => code !== 0).map(codeIn))).toEqual(new Set(['LOOP_BUSY']));
    expect(linesOf(user, 'turns')).toEqual(['1', '1', '1']);
    await expectNothingLost(user, id);
  });
});

/** The losers end by themselves. */
async function winnerOf<T extends { readonly child: { readonly exitCode: number | null } }>(
  racers: readonly T[],
): Promise<T> {
  const left = (): readonly T[] => racers.filter(({ child }) => child.exitCode === null);
  await within(20_000, 'one driver is left', () => left().length === 1);
  const [winner] = left();
  if (winner === undefined) throw new Error('nobody drives');
  return winner;
}

describe.runIf(canMount)('a disk that is full (needs the right to mount)', () => {
  it('stops the loop with the reason; with room again the loop continues and has lost nothing', () => {
    const user = aUser();
    const tireless = `"${process.execPath}" "${CLI}"`;
    const script = `
      mount -t tmpfs -o size=64k,mode=700 tmpfs "$TIRELESS_HOME" || exit 99
      ${tireless} run goal --agent-command 'cat >/dev/null; echo "$TIRELESS_ITERATION" >> turns; head -c 2000 /dev/urandom | base64' --check 'cat turns; false' --max-iterations 12 --max-no-progress unlimited
      echo "first $?"
      ${tireless} status; echo "status $?"
      ${tireless} replay; echo "replay $?"
      mount -o remount,size=4m "$TIRELESS_HOME"
      ${tireless} resume; echo "second $?"
      ${tireless} replay; echo "replay $?"`;
    const ran = spawnSync('sh', ['-c', 'exec unshare -m sh -c "$0"', script], {
      cwd: user.project,
      env: user.env,
      encoding: 'utf8',
    });
    expect(codeIn(ran)).toBe('STORE_FULL');
    expect(ran.stderr).toContain(`continue with: tireless resume ${idIn(ran.stdout)}`);
    expect(ran.stdout.match(/^(?:first|status|replay|second) \d+$/gmu)).toEqual([
      'first 1',
      'status 0',
      'replay 0',
      'second 3',
      'replay 0',
    ]);
    expect(ran.stdout).toContain('halted: 12 of 12 iterations used');
    const turns = linesOf(user, 'turns').map(Number);
    expect(new Set(turns)).toEqual(new Set(Array.from({ length: 12 }, (_, index) => index + 1)));
    // The one whose end could not be written ran again; no other did.
    expect(turns.length).toBeLessThanOrEqual(13);
  });
});
