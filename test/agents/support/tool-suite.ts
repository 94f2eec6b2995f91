/* oxlint-disable vitest/valid-title, vitest/no-disabled-tests, vitest/no-conditional-tests -- One suite over hosts that differ: what one cannot show is skipped with the reason in the title. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import { HOSTS } from '../../../src/hosts/hosts.ts';
import { agentWorld, expectSuccess } from './agent-world.ts';
import { hostsToTry } from './clients.ts';
import type { HostOptions, LoopWorld } from './host-suite.ts';
import { loopsIn, loopWorld, shownTo } from './host-suite.ts';
import { LAUNCHERS } from './launch/launchers.ts';
import { replaceInHooks, writeStandIn } from '../../support/stand-in-node.ts';

/** Part of the refusal; some hosts quote it. */
const TIME_IS_UP = 'The time for this iteration is used up. No more tools will run.';
const DONE = 'x\n<promise>DONE</promise>';
const TOOL_EVENTS = new Set(['PreToolUse', 'BeforeTool']);

/** What every host has to show before a tool, with its real client. */
export function toolSuite(only: HostId, options: HostOptions = {}): void {
  const [entry] = hostsToTry([only]);
  if (entry === undefined) throw new Error(`no host ${only}`);
  const { host, absent, title } = entry;
  const { hookArgs = [] } = LAUNCHERS[host];
  /** Changed hooks have to be trusted again. */
  const typed = (text: string): Parameters<LoopWorld['type']>[1] => ({
    args: [...(options.typed?.(text).args ?? []), ...hookArgs],
  });

  describe.skipIf(absent !== null)(`a tool in a session of ${title}`, () => {
    it('starts no process of ours in a loop whose iterations have no time', async () => {
      const world = await loopWorld(
        host,
        ({ turn }) =>
          [
            { shell: 'true' },
            { text: 'not yet' },
            { write: { path: path.join(world.project, 'done.txt'), content: 'x' } },
          ][turn - 1] ?? { text: 'It is made.' },
        options,
      );
      const started = countStarts(world);
      const command = '/ralph "make it" --check "test -f done.txt"';
      expectSuccess(await world.type(command, typed(command)));
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2 });
      expect(started().filter((event) => /Stop|AfterAgent/u.test(event))).toHaveLength(2);
      expect(started().filter((event) => TOOL_EVENTS.has(event))).toEqual([]);
    });

    it('is refused when the time of the iteration is up, and the agent reads why', async () => {
      const world = await loopWorld(
        host,
        async ({ turn }) => {
          if (turn > 1) return { text: DONE };
          const began = Date.now();
          await expect.poll(() => Date.now() - began, { timeout: 5000 }).toBeGreaterThan(1500);
          return { write: { path: path.join(world.project, 'late.txt'), content: 'x' } };
        },
        options,
      );
      const started = countStarts(world);
      const command = '/ralph "be quick" --iteration-timeout 1s';
      const result = await world.type(command, typed(command));
      expect(result.requests[1]?.news).toContain(TIME_IS_UP);
      expect(existsSync(path.join(world.project, 'late.txt'))).toBe(false);
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1 });
      expect(started().filter((event) => TOOL_EVENTS.has(event))).toHaveLength(1);
    });

    const never = HOSTS[host].capabilities.answersDialects ? null : 'no dialect can be enabled there';
    it.skipIf(never !== null)(
      `is refused in the loop of a state file, when the time is up${never === null ? '' : ` (SKIPPED: ${never})`}`,
      async () => {
        const world = await agentWorld(host, ({ turn }) =>
          turn === 2 ? { shell: 'touch refused.txt' } : { text: turn === 1 ? 'not yet' : 'DONE' },
        );
        const words = ['--project', '--dialect', 'stravinsky', '--iteration-timeout', '1ms', '--yes'];
        const installed = world.tireless('install', host, ...words, ...(options.installWords ?? []));
        expect({ ...installed, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
        const started = world.tireless(
          'start',
          'paint the shed',
          '--dialect',
          'stravinsky',
          '--claim',
          'DONE',
          '--json',
        );
        const { prompt } = JSON.parse(started.stdout) as { readonly prompt: string };
        const result = await world.run({ prompt });
        expectSuccess(result);
        expect(shownTo(result)).toContain(TIME_IS_UP);
        expect(existsSync(path.join(world.project, 'refused.txt'))).toBe(false);
        expect(loopsIn(world)).toMatchObject([{ status: 'completed', counted: 2 }]);
      },
    );
  });
}

/** A shell replaces Node wherever the host starts it, and records for which events it was started. */
export function countStarts({ home, written }: LoopWorld): () => readonly string[] {
  const folder = path.dirname(home);
  const [log, script] = [path.join(folder, 'started'), path.join(folder, 'node.sh')];
  writeStandIn(script, [
    `file="${folder}/payload.$$"`,
    'cat > "$file"',
    `echo "$(sed -n 's/.*"hook_event_name": *"\\([A-Za-z]*\\)".*/\\1/p' "$file")" >> "${log}"`,
    `exec "${process.execPath}" "$@" < "$file"`,
  ]);
  replaceInHooks(written, { [process.execPath]: script });
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
}
