import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentWorld, expectSuccess } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';

for (const { host, absent, title } of hostsToTry()) {
  describe.skipIf(absent !== null)(`real ${title}`, () => {
    it('starts offline, writes a file with a tool of its own, and ends', async () => {
      const world = await agentWorld(host, ({ turn }) => {
        const file = path.join(world.project, 'made.txt');
        return turn === 1 ? { write: { path: file, content: 'made\n' } } : { text: 'It is made.' };
      });
      const result = await world.run({ prompt: 'make the file' });
      expectSuccess(result);
      const file = path.join(world.project, 'made.txt');
      expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('made\n');
      expect(result.requests[0]?.lastUserText).toContain('make the file');
      expect(result.requests).toHaveLength(2);
      expect(world.sessionOf(result)).not.toBe('');
      expect(world.model.troubles).toEqual([]);
    });

    it('continues with a session, and a second client beside it is told apart', async () => {
      const world = await agentWorld(host, ({ lane }) => ({ text: `said in ${lane === '' ? 'the first' : lane}` }));
      const first = await world.run({ prompt: 'say something' });
      expectSuccess(first);
      const again = await world.run({ prompt: 'and again', resume: world.sessionOf(first) });
      expectSuccess(again);
      expect(again.requests).toHaveLength(1);
      const shown = again.requests[0]?.messages.map((message) => message.text).join('\n');
      expect(shown).toContain('said in the first');
      expect(again.requests[0]?.news).toContain('and again');
      const other = await world.run({ prompt: 'you too', lane: 'other' });
      expectSuccess(other);
      expect(other.requests.map((request) => [request.lane, request.turn])).toEqual([['other', 1]]);
    }, 300_000);
  });
}
