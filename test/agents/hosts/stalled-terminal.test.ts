/** Loops on which nobody works any more, and what a person sees of them: real clients in a terminal. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from '../support/clients.ts';
import { asked, isLoop, sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const WAIT = { timeout: 60_000, interval: 500 };
const SHORT_SECONDS = 8;

/** Qwen Code writes nothing after Esc, but says that it waits; OpenCode and pi report it themselves. */
for (const { host, absent } of hostsToTry(['claude-code', 'droid', 'qwen'])) {
  const why = absent ?? noTerminal();
  describe.skipIf(why !== null)(`Esc in a terminal of ${host}${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
    it('is shown by status: nobody is at work', async () => {
      const sitting = await sitDown(host, ({ turn }) => (turn === 1 ? { text: 'not yet' } : { hang: true }));
      const { world, terminal } = sitting;
      await terminal.say('/ralph "make done.txt" --check "test -f done.txt"');
      await asked(sitting, 2);
      await terminal.rests();
      terminal.press('Escape');
      await expect
        .poll(() => world.tireless('status').stdout, WAIT)
        .toContain(host === 'qwen' ? 'stalled: the agent is idle' : 'stalled: you interrupted the agent');
    });
  });
}

const [client] = hostsToTry(['claude-code']);
const why = client?.absent ?? noTerminal();

describe.skipIf(why !== null)(`checks that take long in claude-code${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
  it('do not stop a loop whose hooks have little time: the agent waits for them', async () => {
    const sitting = await sitDown(
      'claude-code',
      ({ news }) => {
        const [, command] = /\n(\S[^\n]* wait \S+)\n/u.exec(news) ?? [];
        return command === undefined ? { text: 'stopped' } : { shell: command };
      },
      ({ home }) => {
        const file = path.join(home, '.claude/settings.json');
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"timeout": 600', `"timeout": ${SHORT_SECONDS}`));
      },
    );
    const { world, terminal } = sitting;
    await terminal.say('/ralph "make done.txt" --check "sleep 11; test -f done.txt" --max-iterations 2');
    await terminal.shows(`let its hooks run for ${SHORT_SECONDS} s`);
    await isLoop(sitting, { status: 'halted', counted: 2, outcome: { guard: 'iterations-max' } });
    expect(world.onlyLoop().faults).toBe(0);
  });

  it('begin a loop that was paused before they ended, when it is resumed', async () => {
    const sitting = await sitDown('claude-code', () => ({ text: 'stopped' }));
    const { world, terminal } = sitting;
    await terminal.say('/ralph "make done.txt" --check "sleep 6; test -f done.txt" --max-iterations 1');
    await isLoop(sitting, { status: 'pending' });
    terminal.press('Escape');
    await expect
      .poll(() => world.tireless('status').stdout, WAIT)
      .toContain('stalled: the hook that should have begun it');
    expect(world.tireless('pause').exitCode).toBe(0);
    terminal.press('C-u');
    await terminal.rests();
    await terminal.say('/ralph --resume');
    await isLoop(sitting, { status: 'halted', counted: 1 });
  });
});
