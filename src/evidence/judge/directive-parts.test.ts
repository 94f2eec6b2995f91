import { expect, it } from 'vitest';
import { withJudgeParts } from './parts.ts';

it('a block of go.mod ends at its bracket: what follows is kept', () => {
  const baseline = 'module shop\n\ngo 1.22\n';
  const work = `${baseline}\nreplace (\n\ta => ./b\n)\n\nrequire (\n\texample.com/x v1.0.0\n)\n\nreplace c => ./d\n`;
  expect(withJudgeParts('go.mod', work, baseline)).toMatchObject({
    changed: ['replace'],
    text: `${baseline}\n\nrequire (\n\texample.com/x v1.0.0\n)\n`,
  });
});
