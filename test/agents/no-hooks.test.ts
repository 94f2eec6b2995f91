/** A command typed where no hook of ours runs (not trusted, switched off, taken out): the agent must not take it for a task and begin. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostsToTry } from './support/clients.ts';
import { loopWorld, shownTo } from './support/host-suite.ts';

// The others read a file of ours on their screen only, or run a program of ours instead of hooks.
for (const { host, absent, title } of hostsToTry(['claude-code', 'gemini', 'qwen', 'droid'])) {
  describe.skipIf(absent !== null)(`/ralph without hooks in ${title}`, () => {
    it('asks the agent to tell the user so', async () => {
      const typed = (prompt: string) => ({ prompt, typed: true as const });
      const world = await loopWorld(host, () => ({ text: 'The hook did not run.' }), host === 'droid' ? { typed } : {});
      const settings = world.written.find((file) => file.endsWith('settings.json')) ?? '';
      const { hooks, ...rest } = JSON.parse(readFileSync(settings, 'utf8')) as Record<string, unknown>;
      expect(hooks).toBeDefined();
      writeFileSync(settings, JSON.stringify(rest));
      const result = await world.type('/ralph "paint the shed" --check "false"');
      expect(world.loops()).toEqual([]);
      expect(result.requests).toHaveLength(1);
      expect(shownTo(result)).toContain('tell the user that the hook did not run');
    });
  });
}
