import { homedir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { expandHome, transcriptBytes } from './transcript-bytes.ts';

it('a transcript below the home is found by ~, and only there', () => {
  expect(expandHome('~/a/t.jsonl')).toBe(path.join(homedir(), 'a/t.jsonl'));
  expect(expandHome('~\\t.jsonl')).toBe(path.join(homedir(), 't.jsonl'));
  for (const whole of ['/a/~/t.jsonl', '~a/t.jsonl', 'a~/']) expect(expandHome(whole)).toBe(whole);
});

it('a transcript has a size, and none when it is not there', () => {
  const folder = aProject({ 't.jsonl': '{}\n' });
  expect(transcriptBytes(path.join(folder, 't.jsonl'))).toBe(3);
  expect(transcriptBytes(path.join(folder, 'other.jsonl'))).toBeNull();
});
