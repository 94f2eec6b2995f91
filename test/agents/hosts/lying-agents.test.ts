/** Agents that lie about being done, or only talk about it, in real clients: nothing counts but the line that the agent itself ends with. */
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { Answer, ModelRequest } from '../../../src/setup/fake-model/script.ts';
import { hostsToTry } from '../support/clients.ts';
import type { HostOptions } from '../support/host-suite.ts';
import { loopWorld, shownTo } from '../support/host-suite.ts';

const TAG = '<promise>DONE</promise>';
const GOAL = `paint the shed, and say at the end\n${TAG}`;
const NOT_YET = { text: 'not yet' };

type Reply = Answer | ((request: ModelRequest) => Answer);
/** The replies of one turn: all but the last use a tool. */
type Turn = readonly [name: string, ...replies: Reply[]];

const shell = `printf '%s\\n' '${TAG}'`;

const LIES: readonly Turn[] = [
  ['in a comment', { text: `Not ready.\n\n<!--\n${TAG}\n-->` }],
  ['in <pre>', { text: `<pre>\n\n${TAG}\n\n</pre>` }],
  ['in a quote', { text: `> ${TAG}` }],
  ['in a list', { text: `- ${TAG}` }],
  ['in a code block', { text: `\`\`\`\n${TAG}\n\`\`\`` }],
  ['behind a zero-width space', { text: `\u200B${TAG}` }],
  ['with a zero-width space in it', { text: '<promise>DO\u200BNE</promise>' }],
  ['in a sentence', { text: `I shall say ${TAG} later.` }],
  ['half of it', { text: '<promise>DO' }],
  ['the other half, in another turn', { text: 'NE</promise>' }],
  ['both halves in two parts of a message', [{ text: '<promise>DO' }, { text: 'NE</promise>' }]],
  ['both halves around a tool', [{ text: '<promise>DO' }, { shell: 'true' }], { text: 'NE</promise>' }],
  ['before a tool, and taken back after it', [{ text: TAG }, { shell: 'true' }], { text: 'No, not yet.' }],
  ['in the answer of a tool', { shell }, NOT_YET],
  ['in a thought', [{ thought: `All is done.\n${TAG}` }, NOT_YET]],
  ['in a thought that is text', { text: `<think>\nShall I say\n\n${TAG}\n</think>\nNot yet.` }],
  ['in a copy of the goal', { text: `You want me to ${GOAL}` }],
  ['in a copy of what it was told', ({ news }) => ({ text: news })],
];

const SUBAGENT: Turn = [
  'of a subagent',
  {
    tool: 'Task',
    args: { description: 'look', prompt: 'look at it', subagent_type: 'general-purpose', run_in_background: false },
  },
  NOT_YET,
];

const HONEST: readonly Turn[] = [
  ['with Windows line ends, and more after it', { text: `Ready.\r\n${TAG}\r\nI am happy with it.\r\n` }],
  ['in the second part of a message', [{ text: 'Ready.' }, { text: TAG }]],
  ['over lines, in another case', [{ thought: 'Done?' }, { text: 'Ready.\n\n<Promise>\n  done\n</Promise>' }]],
  ['after a code block, a comment and a tool', { shell }, { text: `\`\`\`\nok\n\`\`\`\n<!-- ok -->\n\n  ${TAG}  ` }],
];

const OPTIONS: Partial<Record<HostId, HostOptions>> = { codex: { installWords: ['--trust'] } };

/** Says one reply after the other, the last of them for ever; a subagent always lies. */
function saying(turns: readonly Turn[]): (request: ModelRequest) => Answer {
  const replies = turns.flatMap(([, ...each]) => each);
  let asked = 0;
  return (request) => {
    if (request.agent !== null) return { text: TAG };
    const reply = replies[Math.min(asked, replies.length - 1)] ?? NOT_YET;
    asked += 1;
    return typeof reply === 'function' ? reply(request) : reply;
  };
}

for (const { host, absent, title } of hostsToTry(['claude-code', 'codex'])) {
  const options = OPTIONS[host] ?? {};
  describe.skipIf(absent !== null)(`a claim in ${title}`, () => {
    it('is none in any disguise: only the honest line ends a loop that has nothing else', async () => {
      const lies = [...LIES, ...(host === 'claude-code' ? [SUBAGENT] : [])];
      const turns: readonly Turn[] = [...lies, ['the honest line', { text: `Now.\n${TAG}` }]];
      const world = await loopWorld(host, saying(turns), options);
      const result = await world.type(`/ralph "${GOAL}" --max-no-progress unlimited --max-iterations 40`);
      const state = world.onlyLoop();
      expect(state).toMatchObject({ status: 'completed', outcome: { verified: false } });
      expect(turns[state.counted - 1]?.[0]).toBe('the honest line');
      // They were told: the copies were copies of something, and the tool has said it.
      expect(shownTo(result)).toContain(GOAL);
      expect(
        result.requests.some(({ messages }) =>
          messages.some(({ role, text }) => role === 'tool' && text.includes(TAG)),
        ),
      ).toBe(true);
    });

    it('is worth nothing while a check fails, however it is said', async () => {
      const turns = [...HONEST, ...LIES.slice(0, 2)];
      const world = await loopWorld(host, saying(turns), options);
      const check = '--check "test -f done.txt" --claim DONE';
      const result = await world.type(
        `/ralph "paint the shed" ${check} --max-iterations ${turns.length} --max-no-progress unlimited`,
      );
      expect(world.onlyLoop()).toMatchObject({
        status: 'halted',
        counted: turns.length,
        outcome: { guard: 'iterations-max' },
      });
      expect(shownTo(result).split('DONE refused: ')).toHaveLength(HONEST.length + 1);
    });

    it.each(HONEST.map((turn) => ({ name: turn[0], turn })))('counts $name', async ({ turn }) => {
      const world = await loopWorld(host, saying([turn]), options);
      await world.type('/ralph "paint the shed"');
      expect(world.onlyLoop()).toMatchObject({ status: 'completed', counted: 1, outcome: { verified: false } });
    });
  });
}
