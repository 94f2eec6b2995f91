import { describe, expect, it } from 'vitest';
import { findClaim } from './claim.ts';
import { goalFrom, LOOP_TEMPLATES, loopTemplate } from './loop-templates.ts';

describe('loop templates', () => {
  it('are found by name, and each name once', () => {
    const names = LOOP_TEMPLATES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(loopTemplate(name)?.name).toBe(name);
    expect(loopTemplate('no-such')).toBeUndefined();
  });

  it('take what the user typed as it is', () => {
    for (const template of LOOP_TEMPLATES)
      expect(goalFrom(template, ' $& {{INPUT}} `x` ')).toContain('$& {{INPUT}} `x`');
  });

  it('have a maximum for the size of the task: 5 to 8, 10 to 15 or 15 to 20', () => {
    for (const { iterationsMax } of LOOP_TEMPLATES) {
      expect(iterationsMax).toBeGreaterThanOrEqual(5);
      expect(iterationsMax).toBeLessThanOrEqual(20);
    }
  });

  it('have a claim that nobody says by chance, and that their own goal does not say', () => {
    for (const { claim, goal } of LOOP_TEMPLATES) {
      expect(claim.split(' ').length).toBeGreaterThan(1);
      const rule = { texts: [claim], form: 'text-anywhere', tag: '', fold: true } as const;
      expect(findClaim(rule, goal, '').made).toBeNull();
    }
  });
});
