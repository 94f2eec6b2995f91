import { expect, it } from 'vitest';
import { aProject, put } from '../../test/support/a-project.ts';
import type { ProbeRequest } from '../engine/ports.ts';
import { answerFromFiles } from './answer-from-files.ts';

const answer = (request: ProbeRequest, cwd = aProject()) => answerFromFiles(cwd, request, () => undefined);

it('shows which criteria are ticked, and how protected files are', () => {
  const cwd = aProject();
  put(cwd, { 'TODO.md': '- [x] adds\n- [ ] subtracts\n' });
  expect(answer({ kind: 'criteria', tracker: 'TODO.md', texts: ['adds', 'subtracts'] }, cwd)).toEqual({
    kind: 'criteria',
    met: ['adds'],
  });
  expect(answer({ kind: 'protected', globs: ['*.md'], accepted: null }, cwd)).toMatchObject({
    kind: 'protected',
  });
});

it.each(['check', 'holder', 'room-copy', 'room-baseline', 'room', 'work'])('has no answer about %s', (kind) => {
  expect(answer({ kind } as ProbeRequest)).toBeUndefined();
});

it('has no answer about the work tree where git gives none', () => {
  expect(answer({ kind: 'workspace' })).toBeUndefined();
});
