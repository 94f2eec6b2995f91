import { describe, expect, it } from 'vitest';
import type { ClaimRule } from './claim.ts';
import { findClaim, findNearClaim, NATIVE_CLAIM } from './claim.ts';
import type { PromptMark } from './prompt-mark.ts';
import { promptMark } from './prompt-mark.ts';

const TAG = '<promise>DONE</promise>';
const ANYWHERE: ClaimRule = { ...NATIVE_CLAIM, form: 'tag-anywhere' };
const TEXT: ClaimRule = { texts: ['All tests passing'], form: 'text-anywhere', tag: 'promise', fold: true };

describe('a claim that was meant and does not count', () => {
  const near = (message: string, rule: ClaimRule = NATIVE_CLAIM, prompts: readonly PromptMark[] = []) =>
    findNearClaim(rule, message, () => prompts);

  it.each([
    ['in a sentence', `All tests pass: ${TAG}.`],
    ['in a list', `- ${TAG}`],
    ['in a quote', `> ${TAG}`],
    ['in code', `\`\`\`\n${TAG}\n\`\`\``],
    ['in bold type', `**${TAG}**`],
  ])('is found %s', (_, message) => {
    expect([findClaim(NATIVE_CLAIM, message, '').made, near(message)]).toEqual([
      null,
      { text: 'DONE', why: 'not-alone' },
    ]);
  });

  it.each(['DONE', 'All is well.\nDONE', '**Done!**\n', '## done.'])('is found without its tag: %j', (message) => {
    expect(near(message)).toEqual({ text: 'DONE', why: 'no-tag' });
  });

  it.each(['', 'I have not done it yet.', 'What is done:\n- a', '<promise>NOT YET</promise> then', 'x </b> y'])(
    'is not found in %j',
    (message) => {
      expect(near(message)).toBeNull();
    },
  );

  it('is not found in an echo of the prompt', () => {
    const prompt = `End your reply with a line that holds nothing but \`${TAG}\`.`;
    expect(near(`You said: ${prompt}`, NATIVE_CLAIM, [promptMark(prompt)])).toBeNull();
  });

  it('does not exist where every mention counts', () => {
    expect([near('DONE', ANYWHERE), near('All tests passing', TEXT)]).toEqual([null, null]);
  });
});
