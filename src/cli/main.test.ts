import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { failureOf, wantsJson } from './failure.ts';
import type { Output } from './io.ts';
import { main } from './main.ts';
import type { Services, World } from './services.ts';
import { Bug, Fault } from '../core/fault.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { PEOPLE_COMMANDS } from '../core/people-commands.ts';

function aWorld({ stderr = {} }: { readonly stderr?: Partial<Output> } = {}): {
  readonly world: World;
  readonly out: () => string;
} {
  const written: string[] = [];
  const output: Output = { isTTY: false, columns: () => 80, write: (text) => void written.push(text) };
  const closed = (): never => {
    throw new Error('help needs no services');
  };
  const services: Services = {
    home: closed,
    store: closed,
    control: closed,
    trust: closed,
    dialect: closed,
    liveFile: closed,
    dialectExtras: closed,
    session: closed,
    drive: closed,
    logs: closed,
    lastActivity: closed,
    rooms: closed,
    serveMcp: closed,
    jobs: closed,
    endJobs: closed,
    noteSession: closed,
    sessionProcesses: closed,
    failedTurn: closed,
    wakeWorld: closed,
    hookLeftMs: closed,
    hurryHook: closed,
    shortStopSeconds: closed,
    sessionSigns: closed,
    noteOnce: closed,
    forget: closed,
    pruner: closed,
    agentCaller: closed,
    placedCaller: closed,
    at: closed,
  };
  const stdin = { isTTY: true, chunks: closed };
  const world = { stdout: output, stderr: { ...output, ...stderr }, stdin, env: {}, cwd: '/', services };
  return { world, out: () => written.join('') };
}

describe('main', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('prints the overview for %j', async (args) => {
    const { world, out } = aWorld();
    expect(await main(args, world)).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(out()).toContain(`  ${name} `);
  });

  it.each(Object.keys(COMMANDS))('has the same page for "help %s" and for its --help', async (name) => {
    const asked = aWorld();
    const flagged = aWorld();
    const before = aWorld();
    expect([
      await main(['help', name], asked.world),
      await main([name, '--help'], flagged.world),
      await main(['--help', name], before.world),
    ]).toEqual([0, 0, 0]);
    expect([flagged.out(), before.out()]).toEqual([asked.out(), asked.out()]);
    expect(asked.out()).toContain(`Usage: tireless ${name}`);
    expect(asked.out()).toContain('Exit codes:');
  });

  it.each([['help'], ['--help'], ['-h']])('"tireless help %s" is the overview', async (flag) => {
    const { world, out } = aWorld();
    expect(await main(['help', flag], world)).toBe(0);
    expect(out()).toContain('Usage: tireless COMMAND [options]');
  });

  it('fits the terminal behind a pager', async () => {
    const { world, out } = aWorld({ stderr: { isTTY: true, columns: () => 80 } });
    await main(['help', 'run'], world);
    const longest = Math.max(
      ...out()
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(80);
  });

  it('names the default maximum of every dialect in the help of start, and counts as the documents do', async () => {
    const { world, out } = aWorld();
    await main(['help', 'start'], world);
    for (const name of DIALECT_NAMES) expect(out()).toContain(`${name} ${DIALECTS[name].maxIterationsDefault}`);
    expect(out()).toContain('the number in the file');
    expect(out()).not.toContain('N turns');
  });

  it.each([
    ['stauts', 'Did you mean "status"?'],
    ['make the tests pass', 'put a goal after "tireless run"'],
    ['watch', 'The command "watch" is not part of this version'],
    ['dashboard', 'The command "dashboard" is not part of this version'],
    ['--json', 'Unknown flag "--json"'],
    ['constructor', 'Unknown command'],
  ])('refuses "%s"', async (name, message) => {
    await expect(main([name], aWorld().world)).rejects.toThrowError(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) as string }),
    );
  });
});

describe('failureOf', () => {
  it('tells a fault by its code, and cleans what others wrote into it', () => {
    const { exitCode, stderr, json } = failureOf(new Fault('LOOP_BUSY', 'Busy \u001B[31mnow'), '1.2.3');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'tireless: LOOP_BUSY: Busy now\n' });
    expect(json.error.code).toBe('LOOP_BUSY');
  });

  it.each([new Bug('a loop has a state'), new TypeError('x is not a function'), 'text'])(
    'asks to report %s',
    (error) => {
      const { exitCode, stderr } = failureOf(error, '1.2.3');
      expect(exitCode).toBe(70);
      expect(stderr).toContain('Please report it');
      expect(stderr).toContain('tireless 1.2.3, node v');
    },
  );

  it('sees --json among the arguments, and not in the goal after --', () => {
    expect([wantsJson(['run', '--json=stream']), wantsJson(['run', '--', '--json'])]).toEqual([true, false]);
  });
});

describe('the commands that only a person may call', () => {
  it('are those that the core names, and all others are open to the agent of a loop', async () => {
    const loaded = await Promise.all(
      Object.entries(COMMANDS).map(async ([name, { load }]) => [name, await load()] as const),
    );
    const forPeople = loaded.flatMap(([name, { isForPeople }]) => (isForPeople === true ? [name] : []));
    expect(forPeople.toSorted()).toEqual([...PEOPLE_COMMANDS].toSorted());
    for (const name of ['status', 'explain', 'list', 'wait', 'history']) expect(forPeople).not.toContain(name);
  });
});
