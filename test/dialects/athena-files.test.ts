/** Where Athena's files stand. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadWorkflow, trackerPathFor } from '../../src/facades/athena/index.ts';
import { aProject } from '../support/a-project.ts';
import { anAthenaDesk } from '../support/athena-desk.ts';

describe('the folder of a tracker', () => {
  it('keeps .athena out of commits when it makes it, and its sessions where .athena was there before', () => {
    const desk = anAthenaDesk();
    desk.manager();
    expect(readFileSync(path.join(desk.project, '.athena/.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(desk.project)).toEqual(['.athena']);
    const other = anAthenaDesk();
    const athena = path.join(other.project, '.athena');
    mkdirSync(athena);
    other.manager();
    expect(readdirSync(athena)).toEqual(['sessions']);
    expect(readFileSync(path.join(athena, 'sessions/.gitignore'), 'utf8')).toBe('*\n');
    const third = anAthenaDesk();
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
