/** Where Athena's files stand. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { athena } from '../../src/dialects/athena/dialect.ts';
import { loadWorkflow, trackerPathFor } from '../../src/facades/athena/index.ts';
import { aProject } from '../support/a-project.ts';
import { anAthenaFixture } from '../support/athena-fixture.ts';

describe('the folder of a tracker', () => {
  it('keeps .athena out of commits when it makes it, and its sessions where .athena was there before', () => {
    const fixture = anAthenaFixture();
    fixture.manager();
    expect(readFileSync(path.join(fixture.project, '.athena/.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(fixture.project)).toEqual(['.athena']);
    const other = anAthenaFixture();
    const folder = path.join(other.project, '.athena');
    mkdirSync(folder);
    other.manager();
    expect(readdirSync(folder)).toEqual(['sessions']);
    expect(readFileSync(path.join(folder, 'sessions/.gitignore'), 'utf8')).toBe('*\n');
    const third = anAthenaFixture();
    const sessions = path.join(third.project, '.athena/sessions');
    mkdirSync(sessions, { recursive: true });
    third.manager();
    expect(readdirSync(sessions)).toEqual(['s-1']);
  });
});

describe('trackerPathFor', () => {
  it('never leaves the folder of the sessions', () => {
    for (const id of ['..', '../..', 'a/b', '', '.hidden', 'ok.id-1_X']) {
      const relative = path.relative(path.join('/p', '.athena', 'sessions'), trackerPathFor('/p', id)).split(path.sep);
      expect([relative.length, relative[0] === '..', relative[1]]).toEqual([2, false, 'loop-tracker.md']);
    }
  });
});

describe('trackerPathFor and the hook', () => {
  it.each(['s-1', 'a b', 'ünï 😀', 'v1.2', '-x', "it's"])('use the id %j as it is', (id) => {
    const file = trackerPathFor('/p', id);
    expect(path.basename(path.dirname(file))).toBe(id);
    const files = athena.filesFor({ session: id, list: () => [id, 'other'] });
    expect(files[0]).toBe(`.athena/sessions/${id}/loop-tracker.md`);
  });

  it.runIf(process.platform !== 'win32')('use characters that only Windows refuses', () => {
    expect(trackerPathFor('/p', 'team:1?')).toBe('/p/.athena/sessions/team:1?/loop-tracker.md');
  });

  it.each(['..', '.', '.hidden', '', 'a/b', String.raw`a\b`, 'a\0b', 'a\nb', 'x'.repeat(300)])(
    'never use %j as a folder',
    (id) => {
      expect(trackerPathFor('/p', id)).not.toBe(`/p/.athena/sessions/${id}/loop-tracker.md`);
      expect(path.basename(path.dirname(trackerPathFor('/p', id))).length).toBeLessThan(140);
      expect(athena.filesFor({ session: id, list: () => [] })).toEqual([]);
    },
  );
});

describe('loadWorkflow', () => {
  it('reads a file, and says when there is none', () => {
    const folder = aProject();
    const file = path.join(folder, 'workflow.json');
    expect(loadWorkflow(file)).toMatchObject({ kind: 'invalid', why: expect.stringContaining(file) });
    writeFileSync(file, '{"name":"x"}');
    expect(loadWorkflow(file)).toMatchObject({ kind: 'workflow' });
    rmSync(file);
  });
});
