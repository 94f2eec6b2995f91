/* oxlint-disable vitest/valid-title, vitest/expect-expect, vitest/no-disabled-tests, vitest/no-conditional-tests, vitest/no-conditional-expect, vitest/valid-expect -- One suite over hosts that differ: what one cannot show is skipped with the reason in the title. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoopId, State } from '../../../src/core/loop.ts';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import type { AgentResult, AgentWorld } from './agent-world.ts';
import { agentWorld } from './agent-world.ts';
import { hostsToTry } from './clients.ts';
import type { AgentRun } from './launch/launcher.ts';
import { LAUNCHERS } from './launch/launchers.ts';

/** How a host differs from the others. Each reason is in the title of the test or the skip. */
export type HostOptions = {
  /** More arguments for `tireless install HOST`. */
  readonly installWords?: readonly string[];
  /** After how many replies in a row the loop is handed over; absent = the host obeys as often as the loop allows. */
  readonly handedOverAfter?: number;
  /** How a typed command reaches the hook when it is not the prompt itself. */
  readonly typed?: (text: string) => Partial<AgentRun> & { readonly prompt: string };
  /** Without its screen it prints none of a hook's messages to the user. */
  readonly saysOnScreenOnly?: true;
  /** The hooks of a resumed session and of its first prompt run at the same time, so either may repeat the goal. */
  readonly resumesAtOnce?: true;
  /** Scenarios that this host cannot show, with the reason. */
  readonly cannot?: Partial<Record<Scenario, string>>;
};

type Scenario = 'twice' | 'error' | 'kill' | 'cancel' | 'broken' | 'timeout' | 'outside' | 'second-session';

/** The timeout of the stop hook in the scenario of that name; its check takes as long as the test may. */
const SHORT_SECONDS = 3;

const REPEATED = /This iteration runs again/u;
/** From whichever hook was first: before the broken turn was noticed, or after. Matched after the new prompt, because text before it may be older. */
const RESTATED = new RegExp(`${REPEATED.source}|go on[^]*This is iteration [23] of a loop on the goal below`, 'u');

export const NASTY = 'Fix the "cart" — it\'s `broken` $(rm -rf ~) & $HOME \\ %PATH%\n\tsecond line 🧨 <b>; exit 1';

/** A world with tireless installed in the host, and helpers for the tests. */
export type LoopWorld = AgentWorld & {
  readonly type: (text: string, more?: Partial<AgentRun>) => Promise<AgentResult>;
  readonly loops: () => readonly State[];
  readonly onlyLoop: () => State;
  /** Every file that `install` wrote or changed. */
  readonly written: readonly string[];
};

export async function loopWorld(
  host: HostId,
  script: Script,
  options: HostOptions = {},
  files?: Readonly<Record<string, string>>,
): Promise<LoopWorld> {
  const world = await agentWorld(host, script, files);
  const installed = world.tireless('install', host, '--user', '--yes', ...(options.installWords ?? []));
  expect({ ...installed, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  const loops = (): readonly State[] => loopsIn(world);
  return {
    ...world,
    loops,
    written: [...installed.stdout.matchAll(/^ {2}(\S+) \((?:new|changed)\)$/gmu)].map(([, name = '']) => name),
    type: (text, more = {}) => world.run({ ...(options.typed?.(text) ?? { prompt: text }), ...more }),
    onlyLoop: () => {
      const [loop, ...others] = loops();
      if (loop === undefined || others.length > 0) throw new Error(`${others.length + (loop ? 1 : 0)} loops`);
      return loop;
    },
  };
}

/** Every loop of a world, open or ended. */
export function loopsIn({ tirelessHome }: Pick<AgentWorld, 'tirelessHome'>): readonly State[] {
  if (!existsSync(path.join(tirelessHome, 'loops'))) return [];
  const store = openFileStore({ home: tirelessHome });
  const states = store.list({ ended: 'both' }).map(({ state }) => state);
  store.close();
  return states;
}

/** Everything the model was shown, in order. */
export function shownTo(result: Pick<AgentResult, 'requests'>): string {
  return result.requests.map(({ news }) => news).join('\n=====\n');
}

const file = (world: AgentWorld, name: string): string => path.join(world.project, name);
const CHECK = '--check "test -f done.txt"';

/** What every host has to show, with its real client. */
export function hostSuite(only: HostId, options: HostOptions = {}): void {
  const [entry] = hostsToTry([only]);
  if (entry === undefined) throw new Error(`no host ${only}`);
  const { host, absent, title } = entry;
  const scenario = (name: Scenario, sentence: string, test: () => Promise<void>, never?: string): void => {
    const reason = options.cannot?.[name] ?? never;
    if (reason === undefined) it(sentence, test);
    else it.skip(`${sentence} (SKIPPED: ${reason})`, test);
  };

  describe.skipIf(absent !== null)(`a loop in a session of ${title}`, () => {
    it('takes a nasty goal byte for byte, refuses a false claim, and continues until the check passes', async () => {
      const world = await loopWorld(
        host,
        ({ turn }) =>
          turn === 1
            ? { text: 'All is well.\n<promise>DONE</promise>' }
            : turn === 2
              ? { write: { path: file(world, 'done.txt'), content: 'x' } }
              : { text: 'Now it is.\n<promise>DONE</promise>' },
        options,
      );
      const result = await world.type(`/ralph "${NASTY}" ${CHECK} --claim DONE`);
      const state = world.onlyLoop();
      expect(goalOf(world, state.loop)).toBe(NASTY);
      expect(state).toMatchObject({ status: 'completed', outcome: { verified: true }, counted: 2 });
      expect(shownTo(result)).toContain('DONE refused: ');
      expect(existsSync(file(world, 'done.txt'))).toBe(true);
      // No shell has seen the goal.
      expect(readdirSync(world.project).toSorted()).toEqual(['.git', 'README.md', 'done.txt'].toSorted());
    });

    it('holds the limit exactly, although the agent says the same words each time, as fast as it can', async () => {
      const world = await loopWorld(host, () => ({ text: 'not yet' }), options);
      const result = await world.type('/ralph "never done" --max-iterations 6 --max-no-progress unlimited');
      expect(world.onlyLoop()).toMatchObject({ status: 'halted', counted: 6, outcome: { guard: 'iterations-max' } });
      expect(result.requests).toHaveLength(6);
    });

    it(
      options.handedOverAfter === undefined
        ? 'goes on for more than eight turns of mere text'
        : `hands the loop over after ${options.handedOverAfter} replies in a row, and goes on outside with the same counters`,
      async () => {
        const world = await loopWorld(
          host,
          ({ turn }) => ({ text: turn < 12 ? `part ${turn}: ${'word '.repeat(turn)}` : 'x\n<promise>DONE</promise>' }),
          options,
        );
        const result = await world.type('/ralph "count to twelve" --max-no-progress unlimited');
        const state = world.onlyLoop();
        if (options.handedOverAfter === undefined) {
          expect(state).toMatchObject({ status: 'completed', counted: 12 });
          expect(result.requests).toHaveLength(12);
          return;
        }
        expect(state).toMatchObject({ status: 'paused', pause: { cause: 'handed-over' } });
        expect(state.counted).toBe(options.handedOverAfter + 1);
        const agent = "printf '%s\\n' '<promise>DONE</promise>'";
        expect(world.tireless('resume', state.loop, '--agent-command', agent).exitCode).toBe(0);
        expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: options.handedOverAfter + 2 });
      },
    );

    scenario('second-session', 'leaves a second session of the same project alone', async () => {
      let other: Promise<AgentResult> | undefined;
      const world = await loopWorld(
        host,
        async ({ lane, turn }) => {
          if (lane === 'other') return { text: 'a short answer' };
          if (turn !== 2) return { text: turn < 3 ? 'not yet' : 'x\n<promise>DONE</promise>' };
          // While the loop is at work.
          other ??= world.run({ prompt: 'what is this?', lane: 'other' });
          await other;
          return { text: 'not yet, and a second one was here' };
        },
        options,
      );
      const result = await world.type('/ralph "until three"');
      expect((await other)?.requests).toHaveLength(1);
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 3 });
      expect(result.requests.filter(({ lane }) => lane === '')).toHaveLength(3);
    });

    scenario('broken', 'lets the agent stop when its journal is broken, and says so', async () => {
      const world = await loopWorld(
        host,
        ({ turn }) => {
          if (turn === 1) breakJournal(world);
          return { text: 'not yet' };
        },
        options,
      );
      const result = await world.type('/ralph "never done"');
      expect(result.requests).toHaveLength(1);
      const output = `${result.stdout}\n${result.stderr}`;
      if (options.saysOnScreenOnly === true) expect(output).not.toContain('allowed to stop');
      else expect(output).toContain('allowed to stop');
      expect(world.tireless('status').stderr).toContain('is broken at line');
    });

    const { addHooks, hookArgs = [] } = LAUNCHERS[host];
    scenario(
      'timeout',
      'lets the agent stop when the hook takes longer than the host waits, and keeps the loop',
      async () => {
        const world = await loopWorld(
          host,
          () => {
            writeFileSync(file(world, 'slow'), '');
            return { text: 'not yet' };
          },
          options,
        );
        shortenStop(world);
        // Changed hooks have to be trusted again.
        const typed = options.typed?.('/ralph "never done" --check "test ! -f slow || sleep 100; false"') ?? {
          prompt: '/ralph "never done" --check "test ! -f slow || sleep 100; false"',
        };
        const result = await world.run({ ...typed, args: [...(typed.args ?? []), ...hookArgs] });
        expect(result.requests).toHaveLength(1);
        const { loop } = world.onlyLoop();
        expect(world.onlyLoop()).toMatchObject({ status: 'running', counted: 0 });
        expect(world.tireless('status').stdout).toContain(loop);
      },
      addHooks === undefined
        ? 'its hook is a plugin of ours: the host sets it no time, and it bounds itself'
        : undefined,
    );

    scenario(
      'twice',
      'counts a stop once that two hooks report, and continues although one of them says nothing',
      async () => {
        const world = await loopWorld(host, () => ({ text: 'not yet' }), options);
        doubleStop(world);
        const limits = '--max-iterations 4 --max-no-progress unlimited';
        const typed = options.typed?.(`/ralph "never done" ${limits}`) ?? { prompt: `/ralph "never done" ${limits}` };
        const result = await world.run({ ...typed, args: [...(typed.args ?? []), ...hookArgs] });
        expect(world.onlyLoop()).toMatchObject({ status: 'halted', counted: 4, outcome: { guard: 'iterations-max' } });
        expect(result.requests).toHaveLength(4);
        // Each prompt of ours was read once.
        const said = result.requests
          .at(-1)
          ?.messages.filter((message) => JSON.stringify(message).includes('iteration 4'));
        expect(said).toHaveLength(1);
      },
      addHooks === undefined ? 'its hook is a plugin of ours, which asks once' : undefined,
    );

    scenario('outside', 'is driven by "tireless run", a fresh agent for each iteration', async () => {
      let asked = 0;
      const world = await agentWorld(host, () => {
        asked += 1;
        return asked === 2 ? { write: { path: file(world, 'done.txt'), content: 'x' } } : { text: `part ${asked}` };
      });
      const run = await world.tirelessWithAgents(
        'run',
        'paint the shed',
        '--agent',
        host,
        '--check',
        'test -f done.txt',
      );
      expect({ exitCode: run.exitCode, loops: loopsIn(world) }, run.stderr).toMatchObject({
        exitCode: 0,
        loops: [{ status: 'completed', counted: 2, outcome: { verified: true } }],
      });
      expect(run.requests[0]?.news).toContain('paint the shed');
      expect(run.requests[1]?.news).toContain('This is iteration 2');
    });

    scenario('cancel', 'is cancelled from another terminal, and the agent may stop', async () => {
      const world = await loopWorld(
        host,
        ({ turn }) => {
          if (turn === 2) expect(world.tireless('cancel').exitCode).toBe(0);
          return { text: 'not yet' };
        },
        options,
      );
      const result = await world.type('/ralph "never done"');
      expect(world.onlyLoop().status).toBe('cancelled');
      expect(result.requests).toHaveLength(2);
    });

    scenario(
      'error',
      'survives an error of the model in the middle: the session is resumed, and the loop continues',
      async () => {
        let failing = true;
        const world = await loopWorld(
          host,
          ({ turn }) =>
            turn > 1 && failing
              ? { status: 400, message: 'The request is not valid.' }
              : { text: failing ? 'not yet' : 'x\n<promise>DONE</promise>' },
          options,
        );
        const first = await world.type('/ralph "paint the shed"');
        const { loop, counted } = world.onlyLoop();
        expect(counted).toBe(1);
        failing = false;
        const again = await world.run({ prompt: 'go on', resume: world.sessionOf(first) });
        expect(world.onlyLoop()).toMatchObject({ loop, status: 'completed', counted: 2, faults: 1 });
        expect(shownTo(again)).toMatch(options.resumesAtOnce === true ? RESTATED : REPEATED);
        expect(shownTo(again)).toContain('paint the shed');
      },
    );

    scenario(
      'kill',
      'survives kill -9 of the agent: the session is resumed, and the loop continues under its number',
      async () => {
        let isDead = false;
        const world = await loopWorld(
          host,
          ({ turn }) =>
            isDead ? { text: 'x\n<promise>DONE</promise>' } : turn < 3 ? { text: 'not yet' } : { hang: true },
          options,
        );
        const typed = options.typed?.('/ralph "paint the shed"') ?? { prompt: '/ralph "paint the shed"' };
        const running = world.start(typed);
        await expect.poll(() => world.loops()[0]?.counted ?? 0, { timeout: 60_000 }).toBe(2);
        await expect.poll(() => world.model.requests.length, { timeout: 60_000 }).toBe(3);
        running.kill('SIGKILL');
        const killed = await running.done;
        isDead = true;
        const { loop } = world.onlyLoop();
        if (host === 'claude-code')
          expect(world.tireless('status').stdout).toContain('stalled: the host process of its session is gone');
        const session = world.launcher.sessionOf(killed.stdout, world.place) ?? world.onlyLoop().session?.id ?? '';
        const again = await world.run({ prompt: 'go on', resume: session });
        expect(world.onlyLoop()).toMatchObject({ loop, status: 'completed', counted: 3, faults: 1 });
        // The goal alone may come from the conversation before the crash.
        expect(shownTo(again)).toMatch(options.resumesAtOnce === true ? RESTATED : REPEATED);
        expect(shownTo(again)).toContain('paint the shed');
      },
    );
  });
}

function goalOf({ tirelessHome }: AgentWorld, loop: LoopId): string | undefined {
  const store = openFileStore({ home: tirelessHome });
  const goal = store.load(loop)?.spec.goal;
  store.close();
  return goal;
}

/** Shortens the time that `install` gave the stop hook, in whatever unit. */
export function shortenStop(world: LoopWorld): void {
  const unit: Readonly<Record<string, number>> = { '600': 1, '600000': 1000 };
  let shortened = 0;
  const shorter = (key: string, old: unknown): unknown => {
    // Written differently, so that tireless does not find its line and the time beside it.
    if (typeof old === 'string') return old.replace('; [ -r ', ';  [ -r ');
    const each = unit[String(old)];
    if (!key.startsWith('timeout') || each === undefined) return old;
    shortened += 1;
    return SHORT_SECONDS * each;
  };
  changeStops(world, (groups) => JSON.parse(JSON.stringify(groups), shorter) as readonly unknown[]);
  if (shortened === 0) throw new Error(`no stop hook in ${world.written.join(', ')}`);
}

/** Adds a second copy that the host does not recognise as the same. */
function doubleStop(world: LoopWorld): void {
  let doubled = 0;
  const other = (key: string, old: unknown): unknown => {
    if (!['command', 'bash'].includes(key) || typeof old !== 'string' || old === 'command') return old;
    doubled += 1;
    return `:; ${old}`;
  };
  changeStops(world, (groups) => [...groups, ...(JSON.parse(JSON.stringify(groups), other) as readonly unknown[])]);
  if (doubled === 0) throw new Error(`no stop hook in ${world.written.join(', ')}`);
}

function changeStops({ written }: LoopWorld, change: (groups: readonly unknown[]) => readonly unknown[]): void {
  for (const name of written.filter((each) => each.endsWith('.json'))) {
    const value = JSON.parse(readFileSync(name, 'utf8')) as { hooks?: Record<string, readonly unknown[]> };
    for (const stop of ['Stop', 'AfterAgent', 'agentStop']) {
      const groups = value.hooks?.[stop];
      if (groups !== undefined && value.hooks !== undefined) value.hooks[stop] = change(groups);
    }
    writeFileSync(name, JSON.stringify(value));
  }
}

/** Someone edited the past. */
export function breakJournal({ tirelessHome }: Pick<AgentWorld, 'tirelessHome'>): void {
  const loops = path.join(tirelessHome, 'loops');
  for (const name of readdirSync(loops)) {
    const journal = path.join(loops, name, 'journal.jsonl');
    const text = readFileSync(journal, 'utf8');
    const edited = text.replace('"goal":"', '"goal":"not ');
    if (edited === text) throw new Error(`no goal in ${journal}`);
    writeFileSync(journal, edited);
    for (const other of readdirSync(path.join(loops, name)))
      if (other.startsWith('snapshot')) writeFileSync(path.join(loops, name, other), '{}');
  }
}
