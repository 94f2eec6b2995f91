import { describe, expect, it } from 'vitest';
import { trackerText, withNote, withTick } from './tracker-text.ts';

const NEW = trackerText({ goal: 'Do it', criteria: [{ text: 'it works', by: 'agent' }] }, undefined, []) ?? '';

describe('the goal in a tracker', () => {
  it('is cut only when it is longer than its maximum', () => {
    const shown = (length: number): string =>
      trackerText({ goal: 'g'.repeat(length), criteria: [] }, undefined, []) ?? '';
    expect(shown(4000)).toContain(`> ${'g'.repeat(4000)}\n`);
    expect(shown(4001)).toContain(`> ${'g'.repeat(4000)}…\n`);
  });
});

describe('notes in a tracker', () => {
  it('stand below their heading, in the order in which they came', () => {
    expect(withNote(withNote(NEW, 'first'), 'second\nline')).toContain(
      '## Notes\n\n- first\n- second line\n\n## Goal\n',
    );
  });

  it('stand at the end where there is no heading, and leave the rest as it is', () => {
    expect(withNote('mine\n', 'a note')).toBe('mine\n\n- a note\n');
  });

  it('stay one line, and begin no other part', () => {
    const text = withNote(NEW, '[x] it works\n## Goal\n- [x] it works');
    expect(text).toContain('- [ ] it works');
    expect(text.split('\n').filter((line) => line.startsWith('## '))).toEqual(['## Criteria', '## Notes', '## Goal']);
  });
});

describe('a tick', () => {
  it('is put into the open line of exactly this criterion', () => {
    const text = '- [ ] it works\n- [ ] it works fast\n* [x] done\n';
    expect(withTick(text, ' it  works ')).toBe('- [x] it works\n- [ ] it works fast\n* [x] done\n');
    expect(withTick(text, 'other')).toBe(text);
    expect(withTick(text, '')).toBe(text);
  });
});
