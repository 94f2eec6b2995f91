/** The state files of other tools, each once in the real client. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnsAllowed } from '../../../src/dialects/counting.ts';
import type { DialectName } from '../../../src/dialects/names.ts';
import { DIALECT_NAMES } from '../../../src/dialects/names.ts';
import { DIALECTS } from '../../../src/dialects/registry.ts';
import type { AgentWorld } from '../support/agent-world.ts';
import { agentWorld, expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopsIn } from '../support/host-suite.ts';

const GOAL = 'paint the shed';

type Written = { readonly file: string; readonly claims: readonly string[]; readonly prompt: string };

type Ways = {
  /** The counter in the file while the second and the third turn run. */
  readonly counter: (text: string) => unknown;
  readonly counts: readonly [unknown, unknown];
  /** Where the document wants the claim: said, or also written into the file. */
  readonly write?: (text: string, claim: string) => string;
  /** What is left of the file at the end. */
  readonly left: (world: AgentWorld, file: string) => unknown;
  readonly leaves: unknown;
};

const isGone: Pick<Ways, 'left' | 'leaves'> = {
  left: ({ project }, file) => existsSync(path.join(project, file)),
  leaves: false,
};

const WAYS: Readonly<Record<DialectName, Ways>> = {
  athena: {
    counter: (text) => lineOf(text, 'iteration'),
    counts: ['1', '2'],
    write: (text, claim) => `${text}\n${claim}\n`,
    left: (world, file) => {
      const text = textOf(world, file);
      return { active: lineOf(text, 'active'), iteration: lineOf(text, 'iteration') };
    },
    leaves: { active: 'false', iteration: '2' },
  },
  'loop-mechanics': {
    counter: (text) => fieldOf(text, 'iteration'),
    counts: [2, 3],
    write: (text) => text.replaceAll(': false', ': true'),
    left: (world, file) => fieldOf(textOf(world, file), 'status'),
    leaves: 'completed',
  },
  supercode: { counter: (text) => fieldOf(text, 'iteration'), counts: [2, 3], ...isGone },
  stravinsky: { counter: (text) => lineOf(text, 'iteration_count'), counts: ['2', '3'], ...isGone },
  'ralph-wiggum': {
    counter: (text) => fieldOf(text, 'current_iteration'),
    counts: [1, 2],
    left: ({ project }, file) => ({
      there: existsSync(path.join(project, file)),
      history: readdirSync(path.join(project, 'AI_Employee_Vault/Ralph_History')).length,
    }),
    leaves: { there: false, history: 1 },
  },
  'ralph-loop': { counter: (text) => lineOf(text, 'iteration'), counts: ['2', '3'], ...isGone },
};

function textOf({ project }: AgentWorld, file: string): string {
  return readFileSync(path.join(project, file), 'utf8');
}

function lineOf(text: string, key: string): string | undefined {
  return new RegExp(`^${key}: *"?([^"\n]*)"?$`, 'mu').exec(text)?.[1];
}

function fieldOf(text: string, key: string): unknown {
  return (JSON.parse(text) as Record<string, unknown>)[key];
}

function start(world: AgentWorld, dialect: DialectName, ...more: readonly string[]): Written {
  const { stdout, stderr, exitCode } = world.tireless('start', GOAL, '--dialect', dialect, ...more, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Written;
}

function install(world: AgentWorld, ...words: readonly string[]): void {
  const { stderr, exitCode } = world.tireless('install', 'claude-code', ...words, '--yes');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}

const [client] = hostsToTry(['claude-code']);

describe.skipIf(client?.absent !== null)(`state files of other tools in ${client?.title}`, () => {
  it.each(DIALECT_NAMES)(
    '%s: continues, counts as its document says, completes by its claim, and leaves the file as it should be',
    async (dialect) => {
      const ways = WAYS[dialect];
      const counted: unknown[] = [];
      const world = await agentWorld('claude-code', ({ turn }) => {
        if (turn > 1) counted.push(ways.counter(textOf(world, written.file)));
        if (turn < 3) return { text: `not yet, this is turn ${turn}` };
        const [claim = ''] = written.claims;
        const full = path.join(world.project, written.file);
        if (ways.write !== undefined) writeFileSync(full, ways.write(readFileSync(full, 'utf8'), claim));
        return { text: dialect === 'loop-mechanics' ? claim : `It is so: ${claim}\n<promise>${claim}</promise>` };
      });
      install(world, '--project', '--dialect', dialect);
      const written = start(world, dialect, '--max-iterations', '9');
      const result = await world.run({ prompt: written.prompt });
      expectSuccess(result);
      expect(result.requests).toHaveLength(3);
      expect(counted).toEqual(ways.counts);
      expect(loopsIn(world)).toMatchObject([{ status: 'completed', counted: 3 }]);
      expect(ways.left(world, written.file)).toEqual(ways.leaves);
    },
  );

  it.each(DIALECT_NAMES)(
    '%s: deleted and written again, gets all of its turns in the next session',
    async (dialect) => {
      let isRemoved = false;
      const world = await agentWorld('claude-code', ({ turn }) => {
        if (turn === 2 && !isRemoved) rmSync(path.join(world.project, written.file));
        isRemoved ||= turn === 2;
        return { text: `not yet, this is turn ${turn}` };
      });
      install(world, '--project', '--dialect', dialect);
      const written = start(world, dialect, '--max-iterations', '4');
      expectSuccess(await world.run({ prompt: written.prompt }));
      const again = start(world, dialect, '--max-iterations', '4');
      const before = loopsIn(world).length;
      const result = await world.run({ prompt: again.prompt });
      expectSuccess(result);
      expect(result.requests).toHaveLength(turnsAllowed(4, DIALECTS[dialect].counting));
      expect(loopsIn(world)).toHaveLength(before + 1);
    },
  );

  it('stops at the maximum of the file', async () => {
    const world = await agentWorld('claude-code', ({ turn }) => ({ text: `not yet, this is turn ${turn}` }));
    install(world, '--project', '--dialect', 'stravinsky');
    // Its counter begins at 1 and rises before it is compared: 3 allows two turns.
    const { prompt } = start(world, 'stravinsky', '--max-iterations', '3');
    const result = await world.run({ prompt });
    expect(result.requests).toHaveLength(2);
    expect(loopsIn(world)).toMatchObject([{ status: 'halted', counted: 2, outcome: { guard: 'iterations-max' } }]);
  });

  it('are ignored where their dialect was not enabled, also with tireless installed', async () => {
    const world = await agentWorld('claude-code', () => ({ text: 'not yet' }));
    install(world, '--user');
    const files = DIALECT_NAMES.map((dialect) => start(world, dialect).file);
    const before = files.map((file) => textOf(world, file));
    const result = await world.run({ prompt: GOAL });
    expectSuccess(result);
    expect(result.requests).toHaveLength(1);
    expect(loopsIn(world)).toEqual([]);
    expect(files.map((file) => textOf(world, file))).toEqual(before);
  });
});
