import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { AgentResult } from './agent-world.ts';
import { hostsToTry } from './clients.ts';
import type { HostOptions, LoopWorld } from './host-suite.ts';
import { loopWorld, shownTo } from './host-suite.ts';
import { expectPayloads, kebab, LAST_WORDS, recordings } from './recording.ts';
import { writeStandIn } from '../../support/stand-in-node.ts';

/** For hosts with our plugin: what the plugin does between the host and the hook. */
export function pluginSuite(only: HostId, options: HostOptions & { readonly loader: string }): void {
  const [{ host, absent, title } = { host: only, absent: 'unknown', title: only }] = hostsToTry([only]);

  describe.skipIf(absent !== null)(`our plugin in ${title}`, () => {
    it('does not take a text before a tool for a stop, and tells what the turn used', async () => {
      const world = await loopWorld(
        host,
        ({ turn }) =>
          turn === 1
            ? [{ text: 'I make it.' }, { write: { path: path.join(world.project, 'done.txt'), content: 'x' } }]
            : { text: 'It is made.' },
        options,
      );
      const result = await world.type('/ralph "make it" --check "test -f done.txt"');
      expect(result.exitCode).toBe(0);
      expect(result.requests).toHaveLength(2);
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1, usage: { tokens: 240 } });
      expect(shownTo(result)).not.toContain('tireless looks at the work');
    });

    it('answers what needs no model by itself, also when it is typed as a prompt', async () => {
      const world = await loopWorld(host, () => ({ text: 'a model was asked' }), options);
      const status = await world.type('/ralph-status');
      expect({ asked: status.requests.length, exitCode: status.exitCode }).toEqual({ asked: 0, exitCode: 0 });
      expect(status.stderr).toContain('no loop is open here');
      const help = await world.run({ prompt: '/ralph-help' });
      expect({ asked: help.requests.length, exitCode: help.exitCode }).toEqual({ asked: 0, exitCode: 0 });
      expect(help.stderr).toContain('/cancel-ralph');
    });

    it('begins a loop from a plain prompt, and leaves a conversation that can be gone on with', async () => {
      const world = await loopWorld(host, ({ turn }) => ({ text: turn < 2 ? 'not yet' : DONE }), options);
      const first = await world.run({ prompt: '/ralph "twice"' });
      expect(first.exitCode).toBe(0);
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 2 });
      const again = await world.run({ prompt: 'thank you', resume: world.sessionOf(first) });
      expect(again.requests).toHaveLength(1);
      const messages = again.requests[0]?.messages.map(({ text }) => text).join('\n');
      expect(messages).toContain('thank you');
      expect(messages).not.toContain('tireless looks at the work');
    });

    it('starts no process without a loop; with one that cannot be asked, the agent may stop and the user is notified', async () => {
      const world = await loopWorld(host, () => ({ text: 'not yet' }), options);
      withNode(world, options.loader, () => '/nowhere/node');
      const plain = await world.run({ prompt: 'what is this?' });
      expect({ exitCode: plain.exitCode, asked: plain.requests.length }).toEqual({ exitCode: 0, asked: 1 });
      expect(plain.stderr).not.toContain('tireless');
      const session = world.sessionOf(plain);
      expect(world.tireless('start', 'never done', '--host', host, '--session', session).exitCode).toBe(0);
      const armed = await world.run({ prompt: 'go on', resume: session });
      expect(armed.requests).toHaveLength(1);
      expect(armed.stderr).toContain('tireless: its program or its Node has moved');
    });

    it('sends what was recorded', async () => {
      const replies = [{ text: LAST_WORDS }, { text: DONE }];
      let isFailing = true;
      const world = await loopWorld(
        host,
        () => {
          if (isFailing) return { status: 400, message: 'The request is not valid.' };
          if (world.model.requests.length === 2) return { write: { path: `${world.project}/made.txt`, content: 'x' } };
          return replies.shift() ?? { text: 'nothing was asked any more' };
        },
        options,
      );
      recordAsked(world, options.loader);
      const failed: AgentResult = await world.type('/ralph "paint the shed" --iteration-timeout 1h');
      isFailing = false;
      await world.run({ prompt: 'make the tests pass', resume: world.sessionOf(failed) });
      const wanted = ['session-start', 'user-prompt-submit', 'pre-tool-use', 'stop', 'stop-again', 'stop-failure'];
      const nameOf = ({ event, payload }: { event: string; payload: Record<string, unknown> }): string =>
        `${kebab(event)}${payload['stop_hook_active'] === true ? '-again' : ''}`;
      expectPayloads(world, wanted, { session: world.sessionOf(failed), nameOf });
    });
  });
}

const DONE = 'x\n<promise>DONE</promise>';

/** Changes which Node our plugin starts. */
function withNode(world: LoopWorld, loader: string, change: (node: string) => string): void {
  const file = path.join(world.home, loader);
  const text = readFileSync(file, 'utf8');
  const [, node = ''] = /"node":"([^"]+)"/u.exec(text) ?? [];
  expect(node).not.toBe('');
  writeFileSync(file, text.replace(`"node":"${node}"`, `"node":${JSON.stringify(change(node))}`));
}

/** Keeps each payload on its way to the hook, except the command that begins the loop. */
function recordAsked(world: LoopWorld, loader: string): void {
  const directory = path.join(recordings(world), 'payloads');
  mkdirSync(directory, { recursive: true });
  const script = path.join(recordings(world), 'node.sh');
  withNode(world, loader, (node) =>
    writeStandIn(script, [
      `file="${directory}/.$$"`,
      'cat > "$file"',
      `event="$(sed -n 's/^{"hook_event_name":"\\([A-Za-z]*\\)".*/\\1/p' "$file")"`,
      `"${node}" "$@" < "$file"`,
      'code=$?',
      `if grep -q '"prompt":"/' "$file"; then rm "$file"; else mv "$file" "${directory}/$(date +%s%N)-$event"; fi`,
      'exit $code',
    ]),
  );
  expect(statSync(script).isFile() && readdirSync(directory)).toEqual([]);
}
