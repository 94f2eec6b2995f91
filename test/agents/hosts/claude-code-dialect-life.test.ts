/** What a user does with the state file of another tool while the real client works, and what the machine does to it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnsAllowed } from '../../../src/dialects/counting.ts';
import type { DialectName } from '../../../src/dialects/names.ts';
import { DIALECT_NAMES } from '../../../src/dialects/names.ts';
import { DIALECTS } from '../../../src/dialects/registry.ts';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import type { AgentResult, AgentWorld } from '../support/agent-world.ts';
import { agentWorld, expectSuccess } from '../support/agent-world.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopsIn } from '../support/host-suite.ts';
import { DIALECT_CASES } from '../../support/dialect-hooks.ts';
import { replaceInHooks, writeStandIn } from '../../support/stand-in-node.ts';

const MAX = 4;
const WAIT = { timeout: 60_000, interval: 100 };
const NOT_YET = (turn: number): { readonly text: string } => ({ text: `not yet, this is turn ${turn}` });

type Written = { readonly file: string; readonly prompt: string };
type DialectWorld = AgentWorld & { readonly written: Written; readonly settings: string };

/** A file that the command line wrote, and its hook in the settings of the project. */
async function dialectWorld(
  dialect: DialectName,
  script: (world: () => DialectWorld) => Script,
): Promise<DialectWorld> {
  let made: DialectWorld | undefined;
  const now = (): DialectWorld => {
    if (made === undefined) throw new Error('the model was asked before the world was there');
    return made;
  };
  const world = await agentWorld('claude-code', script(now));
  const installed = world.tireless('install', 'claude-code', '--project', '--dialect', dialect, '--yes');
  expect({ exitCode: installed.exitCode, stderr: installed.stderr }).toEqual({ exitCode: 0, stderr: '' });
  const started = world.tireless('start', 'make it', '--dialect', dialect, '--max-iterations', String(MAX), '--json');
  expect({ exitCode: started.exitCode, stderr: started.stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [, settings = ''] = /^ {2}(\S+\.json) \((?:new|changed)\)$/mu.exec(installed.stdout) ?? [];
  made = { ...world, written: JSON.parse(started.stdout) as Written, settings };
  return made;
}

function edit({ project, written }: DialectWorld, change: (text: string) => string): void {
  const file = path.join(project, written.file);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing to change in ${before}`);
  writeFileSync(file, after);
}

function textOf({ project, written }: DialectWorld): string {
  return readFileSync(path.join(project, written.file), 'utf8');
}

function statusesIn(world: AgentWorld): readonly string[] {
  return loopsIn(world)
    .map(({ status }) => status)
    .toSorted();
}

function counterOf(dialect: DialectName): RegExp {
  const found = DIALECT_CASES.find(({ name }) => name === dialect);
  if (found === undefined) throw new Error(`no case for ${dialect}`);
  return found.counter;
}

/** As each document ends a loop by its file. */
function stopped(text: string): string {
  return text.replace(/("?active"?\s*:\s*)true/u, '$1false').replace(/("status"\s*:\s*")\w+/u, '$1stopped');
}

async function runIn(world: DialectWorld): Promise<AgentResult> {
  const result = await world.run({ prompt: world.written.prompt });
  expectSuccess(result);
  return result;
}

const turnsOf = (dialect: DialectName): number => turnsAllowed(MAX, DIALECTS[dialect].counting);

/** What the hook of this client sees of the machine from the second turn on; the client itself sees nothing of it. */
const MACHINES = {
  'a folder that nobody can write': (folders: readonly string[]) =>
    folders.slice(0, 1).map((folder) => `mount --bind '${folder}' '${folder}' && mount -o remount,ro,bind '${folder}'`),
  'a full disk': (folders: readonly string[]) =>
    folders.map(
      (folder) =>
        `cp -a '${folder}' "$COPY" && mount -t tmpfs -o size=8m tmpfs '${folder}' && cp -a "$COPY"/. '${folder}' && rm -r "$COPY"; dd if=/dev/zero of='${folder}/fill' bs=4k >/dev/null 2>&1`,
    ),
} as const;

const NO_MOUNTS =
  spawnSync('/bin/sh', ['-c', 'unshare -m mount -t tmpfs tmpfs /mnt']).status === 0
    ? null
    : 'this user may not mount anything';

/** A shell stands in for Node in the script of the hooks: once `isOn()` is there, it starts Node in a namespace with those mounts. */
function putHookOn(
  { settings, home, project, tirelessHome, written }: DialectWorld,
  machine: keyof typeof MACHINES,
): () => void {
  const folder = path.dirname(home);
  const [script, flag] = [path.join(folder, 'node.sh'), path.join(folder, 'on')];
  const folders = [path.dirname(path.join(project, written.file)), tirelessHome];
  writeStandIn(script, [
    `COPY='${folder}/copy'`,
    'export COPY',
    `[ -f '${flag}' ] || exec '${process.execPath}' "$@"`,
    `exec unshare -m sh '${script}.mounted' "$@"`,
  ]);
  writeStandIn(`${script}.mounted`, [...MACHINES[machine](folders), `exec '${process.execPath}' "$@"`]);
  const [, guard = ''] = /tireless=(\S+\.sh);/u.exec(readFileSync(settings, 'utf8')) ?? [];
  replaceInHooks([guard], { [process.execPath]: script });
  return () => writeFileSync(flag, '');
}

const [client] = hostsToTry(['claude-code']);

describe.skipIf(client?.absent !== null)(`a state file at work in ${client?.title}`, () => {
  it.each(DIALECT_NAMES)('%s: set back by hand between two turns, is a loop of its own', async (dialect) => {
    let isBack = false;
    const world = await dialectWorld(
      dialect,
      () =>
        ({ turn }) =>
          isBack || turn < 3 ? NOT_YET(turn) : { hang: true },
    );
    const counter = (): string => counterOf(dialect).exec(textOf(world))?.[1] ?? '';
    const first = counter();
    const running = world.start({ prompt: world.written.prompt });
    await expect.poll(() => world.model.requests.length, WAIT).toBe(3);
    running.kill('SIGKILL');
    const killed = await running.done;
    expect(Number(counter())).toBe(Number(first) + 2);
    isBack = true;
    edit(world, (text) => text.replace(counterOf(dialect), (all) => all.replace(/\d+$/u, first)));
    const result = await world.run({ prompt: 'go on', resume: world.sessionOf(killed) });
    expectSuccess(result);
    expect(result.requests).toHaveLength(turnsOf(dialect));
    expect(statusesIn(world)).toEqual(['cancelled', 'halted']);
  });

  it.each(DIALECT_NAMES)('%s: ended by its file, lets the agent stop', async (dialect) => {
    const world = await dialectWorld(dialect, (now) => ({ turn }) => {
      if (turn === 2) edit(now(), stopped);
      return NOT_YET(turn);
    });
    const result = await runIn(world);
    expect(result.requests).toHaveLength(2);
    expect(loopsIn(world)).toMatchObject([{ status: 'cancelled', counted: 1 }]);
  });

  it.each(DIALECT_NAMES)('%s: paused from a terminal, waits for as long as its document lets it', async (dialect) => {
    const exits: unknown[] = [];
    const world = await dialectWorld(dialect, (now) => ({ turn }) => {
      if (turn === 2) exits.push(now().tireless('pause').exitCode);
      return NOT_YET(turn);
    });
    const first = await runIn(world);
    expect(exits).toEqual([0]);
    expect(first.requests).toHaveLength(2);
    // Athena ends a loop with its session, and `claude -p` ends the session.
    const waits = dialect !== 'athena';
    expect(statusesIn(world)).toEqual([waits ? 'paused' : 'cancelled']);
    expect(world.tireless('resume').exitCode).toBe(waits ? 0 : 1);
    const result = await world.run({ prompt: 'go on', resume: world.sessionOf(first) });
    expectSuccess(result);
    expect(statusesIn(world)).toEqual([waits ? 'halted' : 'cancelled']);
    expect(first.requests.length + result.requests.length).toBeLessThanOrEqual(turnsOf(dialect) + 1);
  });

  it.each(DIALECT_NAMES)('%s: asked by four hooks at once, counts each stop once', async (dialect) => {
    const world = await dialectWorld(
      dialect,
      () =>
        ({ turn }) =>
          NOT_YET(turn),
    );
    const settings = JSON.parse(readFileSync(world.settings, 'utf8')) as { hooks: { Stop: readonly object[] } };
    const other = (times: number): readonly object[] =>
      JSON.parse(JSON.stringify(settings.hooks.Stop), (key, old: unknown) =>
        key === 'command' && typeof old === 'string' ? `${':; '.repeat(times)}${old}` : old,
      ) as readonly object[];
    settings.hooks.Stop = [0, 1, 2, 3].flatMap(other);
    writeFileSync(world.settings, JSON.stringify(settings));
    const result = await runIn(world);
    expect(result.requests).toHaveLength(turnsOf(dialect));
    expect(loopsIn(world)).toMatchObject([{ status: 'halted', counted: turnsOf(dialect) }]);
  });

  const machines = Object.keys(MACHINES) as (keyof typeof MACHINES)[];
  const rows = machines.flatMap((machine) => DIALECT_NAMES.map((dialect) => [dialect, machine] as const));
  it.skipIf(NO_MOUNTS !== null).each(rows)(
    `%s, on %s, lets the agent stop${NO_MOUNTS === null ? '' : ` (SKIPPED: ${NO_MOUNTS})`}`,
    async (dialect, machine) => {
      const world = await dialectWorld(dialect, () => ({ turn }) => {
        if (turn === 2) putOn();
        return NOT_YET(turn);
      });
      const putOn = putHookOn(world, machine);
      const result = await runIn(world);
      expect(result.requests).toHaveLength(2);
      expect(result.stdout).toMatch(/Cannot write [^"]*(?:read-only|disk is full)/u);
    },
  );
});
