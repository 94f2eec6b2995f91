import { expect, it } from 'vitest';
import { resumeWords } from './pause-words.ts';

it('names a command that does not pause again at once', () => {
  expect(resumeWords('l1', { cause: 'user' })).toBe('resume with: tireless resume l1');
  expect(resumeWords('l1', { cause: 'usage-unknown' })).toBe(
    'to continue without that limit: tireless resume l1 --max-cost unlimited --max-tokens unlimited',
  );
  expect(resumeWords('l1', { cause: 'handed-over' })).toContain('write to the agent');
});
