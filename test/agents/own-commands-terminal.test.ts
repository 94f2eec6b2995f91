/** The user's own ralph on the screens where commands are not files that a prompt without a screen could reach. */
import { expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { put } from '../support/a-project.ts';
import { hostsToTry } from './support/clients.ts';
import { asked, isLoop, sitDown } from './support/sitting.ts';
import { noTerminal } from './support/tmux.ts';

const TEST_MS_MAX = 120_000;
const noScreen = noTerminal();
const SKILL = '---\nname: ralph\ndescription: sings\nuser-invocable: true\n---\n\nSing a song.\n';

const OWN: Partial<Record<HostId, Readonly<Record<string, string>>>> = {
  pi: { '.pi/agent/prompts/ralph.md': '---\ndescription: sings\n---\n\nSing a song.\n' },
  copilot: { '.agents/skills/ralph/SKILL.md': SKILL },
  droid: { '.factory/skills/ralph/SKILL.md': SKILL },
};

for (const { host, absent, title } of hostsToTry(['pi', 'copilot', 'droid'])) {
  const why = absent ?? noScreen;
  it.skipIf(why !== null)(
    `${why === null ? title : `${host} (SKIPPED: ${why})`} runs the user's own ralph on its screen, and ours by its other name`,
    async () => {
      const sitting = await sitDown(
        host,
        () => ({ text: 'la la' }),
        ({ home, tireless }) => {
          put(home, OWN[host] ?? {});
          expect(tireless('install', host, '--user', '--yes').stdout).toContain('and stays yours. Ours is called');
        },
      );
      const { world, terminal } = sitting;
      await terminal.say('/ralph hey');
      await asked(sitting, 1);
      expect(JSON.stringify(world.model.requests[0]?.messages)).toContain('Sing a song');
      expect(world.loops()).toEqual([]);
      await terminal.rests();
      await terminal.say('/tireless-ralph "paint the shed" --max-iterations 1');
      await isLoop(sitting, { status: 'halted', counted: 1 });
    },
    TEST_MS_MAX,
  );
}
