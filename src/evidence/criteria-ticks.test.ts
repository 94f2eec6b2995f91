import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { tickedCriteria, tickedIn } from './criteria-ticks.ts';

describe('criteria ticks', () => {
  it.each([
    ['a dash', '- [x] it works'],
    ['a star', '* [x] it works'],
    ['a number', '1. [x] it works'],
    ['a capital', '- [X] it works'],
    ['white space at the end and Windows lines', 'a\r\n- [x]  it   works \t\r\nb'],
    ['a nested item', '- list\n  - [x] it works'],
  ])('count with %s', (_, notes) => {
    expect(tickedIn(notes, ['it works', 'other'])).toEqual(['it works']);
  });

  it.each([
    ['an open box', '- [ ] it works'],
    ['a fence', '```\n- [x] it works\n```'],
    ['a quote', '> - [x] it works'],
    ['more text', '- [x] it works not'],
    ['another case', '- [x] It works'],
    ['no list', '[x] it works'],
  ])('do not count with %s', (_, notes) => {
    expect(tickedIn(notes, ['it works'])).toEqual([]);
  });

  it('are none without readable notes', () => {
    const cwd = aProject({ 'notes/tracker.md': '- [x] it works' });
    expect(tickedCriteria(cwd, 'notes/tracker.md', ['it works'])).toEqual(['it works']);
    expect(tickedCriteria(cwd, 'notes', ['it works'])).toEqual([]);
    expect(tickedCriteria(cwd, 'none.md', ['it works'])).toEqual([]);
    expect(tickedCriteria(path.join(cwd, 'gone'), 'none.md', ['it works'])).toEqual([]);
  });
});
