import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { failureOf, wantsJson } from './failure.ts';
import type { Output } from './io.ts';
import { main } from './main.ts';
import type { Services, World } from './services.ts';
import { Bug, Fault } from '../core/fault.ts';

function aWorld(): { readonly world: World; readonly out: () => string } {
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
    dialectExtras: closed,
    session: closed,
    drive: closed,
    jobs: closed,
    endJobs: closed,
    forget: closed,
    at: closed,
  };
  const stdin = { isTTY: true, chunks: closed };
  return { world: { stdout: output, stderr: output, stdin, env: {}, cwd: '/', services }, out: () => written.join('') };
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
    expect([await main(['help', name], asked.world), await main([name, '--help'], flagged.world)]).toEqual([0, 0]);
    expect(asked.out()).toBe(flagged.out());
    expect(asked.out()).toContain(`Usage: tireless ${name}`);
    expect(asked.out()).toContain('Exit codes:');
  });

  it.each([
    ['stauts', 'Did you mean "status"?'],
    ['make the tests pass', 'a goal goes after "tireless run"'],
    ['watch', 'The command "watch" is not part of this version'],
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
