import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCodeTasks, fileTasks, stepsOfTasks } from '../../src/facades/loop-mechanics/index.ts';

let folder: string;
let project: string;
let home: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tireless-tasks-'));
  project = path.join(folder, 'project');
  home = path.join(folder, 'home');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('tasks', () => {
  it('creates, gets and updates, one file each', () => {
    const tasks = fileTasks(home, project);
    const { id } = tasks.TaskCreate({ subject: 'a', description: 'b', status: 'pending' });
    expect(tasks.TaskUpdate(id, { status: 'completed' })).toEqual({
      id,
      subject: 'a',
      description: 'b',
      status: 'completed',
    });
    expect(fileTasks(home, project).TaskGet(id)?.status).toBe('completed');
    expect(tasks.TaskUpdate('nobody', { status: 'completed' })).toBeUndefined();
    expect(tasks.TaskGet('../../etc/passwd')).toBeUndefined();
    expect(fileTasks(home, `${project}-2`).TaskList()).toEqual([]);
  });

  it('reads the task of the document with all its metadata', () => {
    const fixtures = path.resolve(import.meta.dirname, '../fixtures/dialects/loop-mechanics');
    const task = claudeCodeTasks(fixtures).TaskGet('task');
    expect(task).toEqual(JSON.parse(readFileSync(path.join(fixtures, 'task.json'), 'utf8')));
  });

  it("reads Claude Code's own task files, in their order, and leaves out what is none", () => {
    const directory = path.join(folder, 'claude', 'tasks', 'list-1');
    mkdirSync(directory, { recursive: true });
    const put = (name: string, value: unknown): void =>
      writeFileSync(path.join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
    put('10.json', {
      id: '10',
      subject: 'ten',
      description: '',
      activeForm: 'Doing ten',
      status: 'pending',
      blocks: [],
      blockedBy: ['2'],
    });
    put('2.json', {
      id: '2',
      subject: 'two',
      description: 'd',
      status: 'completed',
      blocks: ['10'],
      blockedBy: [],
      owner: 'me',
    });
    put('3.json', '{ half');
    put('.highwatermark', '10');
    put('4.json', { id: 4, subject: 'four', status: 'new-status' });
    const tasks = claudeCodeTasks(directory).TaskList();
    expect(tasks.map(({ id, status }) => [id, status])).toEqual([
      ['2', 'completed'],
      ['4', 'pending'],
      ['10', 'pending'],
    ]);
    expect(stepsOfTasks(tasks)).toEqual({
      steps: ['two', 'four', 'ten'],
      completedSteps: ['two'],
      remainingSteps: ['four', 'ten'],
    });
    expect(claudeCodeTasks(path.join(folder, 'nowhere')).TaskList()).toEqual([]);
  });
});
