import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec, aState } from '../../test/support/a-loop.ts';
import type { ClaimRule } from './claim.ts';
import { findClaim, NATIVE_CLAIM } from './claim.ts';
import type { Unmet } from './decision.ts';
import type { Spec, State } from './loop.ts';
import { claimInstruction, promptOf } from './prompt.ts';

const TAG = '<promise>DONE</promise>';
const NO_CLAIM = { made: null, blocked: null };

describe('no prompt is a claim', () => {
  const piece = fc.constantFrom(
    TAG,
    '<promise>',
    'DONE',
    '</promise>',
    '<blocked>x</blocked>',
    '\n',
    '\n\n',
    '\r',
    '```',
    '~~~~',
    '`',
    '> ',
    '    ',
    '\t',
    '- ',
    '# ',
    '10. ',
    'a',
  );
  const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''));
  const loop = fc
    .record({ goal: text, name: text, other: text, counted: fc.nat(1), rerun: fc.boolean(), session: fc.boolean() })
    .map(({ goal, name, other, counted, rerun, session }): [Spec, State] => {
      const spec = aSpec({
        goal,
        driver: session ? 'session' : 'outer',
        checks: [aCheck(name), aCheck('other', { probe: { kind: 'command', command: other } })],
        claimRequired: true,
        criteria: [{ text: other, by: 'agent' }],
        tracker: other,
        protect: [other],
      });
      const unmet: Unmet[] = [
        { kind: 'check', name, result: 'failed' },
        { kind: 'criterion', text: other },
        { kind: 'forbidden', what: other },
      ];
      const checks = [aResult(name, 'failed', { tail: other }), aResult('other', 'passed')];
      return [
        spec,
        aState({
          counted,
          checks,
          steering: [other, name],
          lastMessage: other,
          lastTrouble: { code: 'turn-failed', detail: goal },
          plan: { ...aState().plan, unmet, rerun },
        }),
      ];
    });

  it('not read as it is, not quoted, not echoed', () => {
    fc.assert(
      fc.property(loop, text, ([spec, state], before) => {
        const prompt = promptOf(spec, state);
        expect(findClaim(spec.claim, prompt, '')).toEqual(NO_CLAIM);
        expect(findClaim(spec.claim, `> ${prompt.replaceAll(/\r\n?|\n/g, '\n> ')}`, '')).toEqual(NO_CLAIM);
        expect(findClaim(spec.claim, `Told: ${prompt}`, prompt)).toEqual(NO_CLAIM);
        // A claim of the agent's own counts, whatever prompt it repeats first.
        expect(findClaim(spec.claim, `${prompt}\n\n${TAG}`, prompt).made).toBe('DONE');
        expect(promptOf({ ...spec, goal: before }, state)).toContain(`\n${before}\n`);
      }),
      { numRuns: 300 },
    );
  });

  it.each<ClaimRule>([
    NATIVE_CLAIM,
    { ...NATIVE_CLAIM, fold: false },
    { ...NATIVE_CLAIM, form: 'tag-anywhere' },
    { ...NATIVE_CLAIM, texts: ['a `b` c', 'x\n<promise>x</promise>\n', '$&'] },
    { ...NATIVE_CLAIM, form: 'tag-anywhere', texts: ['DONE', 'NOTHING TO DO'] },
  ])('not the instruction by itself: $form $texts', (rule) => {
    const instruction = claimInstruction(rule);
    expect(findClaim(rule, instruction, '')).toEqual(NO_CLAIM);
    expect(findClaim(rule, `  ${instruction}\n`, '')).toEqual(NO_CLAIM);
    expect(instruction).toContain(rule.tag);
  });

  it('names the words of a rule that takes them anywhere, and their echo is no claim', () => {
    const claim: ClaimRule = { ...NATIVE_CLAIM, form: 'text-anywhere', texts: ['All tests passing'] };
    const prompt = promptOf(aSpec({ claim }), aState());
    expect(prompt).toContain('`All tests passing`');
    expect(findClaim(claim, prompt, prompt)).toEqual(NO_CLAIM);
  });
});
