import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { LOOP_TEMPLATES } from '../core/loop-templates.ts';
import type { Input } from './io.ts';
import { allTemplates, goalFromTemplate, templateNamed } from './templates.ts';

const stdin: Input = { isTTY: true, chunks: async function* () {} };
const fill = (project: string, name: string, ...words: readonly string[]): Promise<string> =>
  goalFromTemplate(templateNamed(name, project), { words, file: undefined, stdin });
const usage = (message: string): unknown =>
  expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) as string });

describe('templates', () => {
  it('are the built-in ones where the project has none', () => {
    const names = allTemplates(aProject()).map(({ name, from }) => `${from} ${name}`);
    expect(names).toEqual(LOOP_TEMPLATES.map(({ name }) => `built-in ${name}`));
  });

  it('of the project win over built-in ones, with nothing of those left', () => {
    const project = aProject({ '.tireless/templates/feature.md': '\uFEFF\n# Ours \u001B[31mred\n{{GOAL}}\n' });
    const ours = { name: 'feature', from: 'project', title: 'Ours red', claim: null, iterationsMax: null };
    expect(templateNamed('feature', project)).toMatchObject(ours);
    expect(allTemplates(project).filter(({ name }) => name === 'feature')).toMatchObject([ours]);
  });

  it('leave out what is no template', () => {
    const files = { 'notes.txt': 'x', '.hidden.md': 'x', 'folder.md/a.md': 'x', 'a;b.md': 'x', 'ours.md': 'x' };
    const project = aProject(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`.tireless/templates/${name}`, text])),
    );
    expect(allTemplates(project).filter(({ from }) => from === 'project')).toMatchObject([{ name: 'ours' }]);
  });

  it('put the goal in as it was typed, wherever there is a place', async () => {
    const project = aProject({ '.tireless/templates/twice.md': '{{GOAL}}, {{OTHER}}, {{GOAL}}\n' });
    const goal = "$& $' {{GOAL}} {{OPENING-BRACES}}";
    expect(await fill(project, 'twice', goal)).toBe(`${goal}, {{OTHER}}, ${goal}`);
    expect(await fill(project, 'simple', goal)).toBe(goal);
  });

  it('without a place need no goal, and refuse one', async () => {
    const project = aProject({ '.tireless/templates/nightly.md': 'update the packages\n' });
    expect(await fill(project, 'nightly')).toBe('update the packages');
    await expect(fill(project, 'nightly', 'lost')).rejects.toThrowError(usage('has no place for a goal'));
    const todos = { words: [], file: undefined, stdin, listed: '1. lost' };
    await expect(goalFromTemplate(templateNamed('nightly', project), todos)).rejects.toThrowError(
      usage('has no place'),
    );
  });

  it('refuse to grow beyond what an agent reads', async () => {
    const project = aProject({ '.tireless/templates/many.md': '{{GOAL}}'.repeat(1000) });
    await expect(fill(project, 'many', 'x'.repeat(100_000))).rejects.toThrowError(usage('more than'));
  });

  it('with a place need a goal', async () => {
    await expect(fill(aProject(), 'feature')).rejects.toThrowError(
      usage('The template "feature" needs your words. Say what'),
    );
  });

  it.each(['../secret', '..', '.', '', 'a/b', String.raw`a\b`, '/etc/passwd', 'a\0b', 'x'.repeat(200)])(
    'are single names, not %j',
    (name) => {
      const project = aProject({ 'secret.md': 'x', '.tireless/secret.md': 'x', '.tireless/templates/a/b.md': 'x' });
      expect(() => templateNamed(name, project)).toThrowError(usage('without a folder'));
    },
  );

  it('that do not exist are answered with those that do', () => {
    const project = aProject({ '.tireless/templates/ours.md': 'x' });
    expect(() => templateNamed('Ours', project)).toThrowError(
      usage(
        'There is no template "Ours". Did you mean ours? Use one of ours, fix-tests, feature, debug, simple, document;',
      ),
    );
  });

  it('that are empty are listed and refused', () => {
    const project = aProject({ '.tireless/templates/empty.md': ' \n' });
    expect(allTemplates(project)[0]).toMatchObject({ name: 'empty', title: '(empty)' });
    expect(() => templateNamed('empty', project)).toThrowError(usage('its file is empty'));
  });
});
