import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptFor, readLoopConfig, readWorkflow } from './workflow.ts';

const fixture = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../../test/fixtures/dialects/athena', name), 'utf8');

describe('readWorkflow', () => {
  it('reads the workflow of the document', () => {
    expect(readWorkflow(fixture('workflow.json'))).toEqual({
      kind: 'workflow',
      notices: [],
      workflow: {
        name: 'e2e-testing',
        plugins: ['e2e-test-builder@owner/repo'],
        promptTemplate: 'Use /add-e2e-tests {input}',
        loop: {
          enabled: true,
          completionMarker: 'E2E_COMPLETE',
          maxIterations: 15,
          trackerTemplate: expect.stringContaining('- [ ] Coverage threshold met'),
        },
      },
    });
  });

  it('accepts completionPromise and the ralph-loop plugin, and reports both', () => {
    const read = readWorkflow(fixture('workflow-before-the-rename.json'));
    expect(read).toMatchObject({
      workflow: { plugins: ['e2e-test-builder@owner/repo'], loop: { completionMarker: 'E2E_COMPLETE' } },
      notices: [expect.stringContaining('completionMarker'), expect.stringContaining('ralph-loop')],
    });
  });

  it('reports keys that it does not know, at the top and in the loop', () => {
    const loop = { enabled: true, completionMarker: 'X', maxIteration: 3, maxIterations: 3, completion_marker: 'Y' };
    expect(readWorkflow(JSON.stringify({ name: 'x', promptTemplat: 'Use {input}', loop }))).toMatchObject({
      kind: 'workflow',
      notices: [
        expect.stringMatching(/promptTemplat\b/u),
        expect.stringMatching(/loop[\s\S]*maxIteration, completion_marker/u),
      ],
    });
  });

  it('needs no loop, no plugins and no template', () => {
    expect(readWorkflow('{"name":"x"}')).toMatchObject({ workflow: { plugins: [], promptTemplate: '{input}' } });
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', 'object'],
    ['{"name":""}', 'name'],
    ['{"name":"x","plugins":"y"}', 'plugins'],
    ['{"name":"x","loop":{"enabled":"yes"}}', 'enabled'],
    ['{"name":"x","loop":{"enabled":true}}', 'completionMarker'],
  ])('refuses %s with a reason', (json, reason) => {
    expect(readWorkflow(json)).toMatchObject({ kind: 'invalid', why: expect.stringContaining(reason) });
  });
});

describe('readLoopConfig', () => {
  it('prefers the new name when both are there', () => {
    const both = { enabled: true, completionMarker: 'NEW', completionPromise: 'OLD', maxIterations: 1 };
    expect(readLoopConfig(both)).toMatchObject({ config: { completionMarker: 'NEW' }, notices: [expect.any(String)] });
  });

  it('uses 20 if no maximum is given, and reports that', () => {
    expect(readLoopConfig({ enabled: true, completionMarker: 'X' })).toMatchObject({
      config: { maxIterations: 20 },
      notices: [expect.stringContaining('20')],
    });
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s as a maximum', (maxIterations) => {
    expect(readLoopConfig({ enabled: true, completionMarker: 'X', maxIterations })).toMatchObject({ kind: 'invalid' });
  });
});

describe('promptFor', () => {
  it('puts the input in, as it is, wherever the template asks for it', () => {
    const workflow = { name: 'x', plugins: [], promptTemplate: 'Use {input}; again: {input}' };
    expect(promptFor(workflow, '$& {input}')).toBe('Use $& {input}; again: $& {input}');
  });
});
