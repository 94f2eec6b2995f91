import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../src/dialects/athena/workflow.ts';
import { readJson } from '../../src/dialects/json-file.ts';
import { readTask } from '../../src/dialects/loop-mechanics/task.ts';
import { readPrd, tickPrd } from '../../src/dialects/prd.ts';
import { stateOfTask } from '../../src/facades/loop-mechanics/tasks.ts';
import { allDialects } from '../support/all-dialects.ts';
import { DAMAGES } from '../support/dialect-harm.ts';

/** What is wrong with how a damaged file is read, and written where it is; empty = nothing. */
type Judge = (text: string) => readonly string[];

const FOLDER = path.join(import.meta.dirname, '../fixtures/dialects');

/** Files that documents have beside their state file. No loop lives in them. */
const BESIDE: Readonly<Record<string, Judge>> = {
  'athena/workflow.json': workflowHarm,
  'athena/workflow-before-the-rename.json': workflowHarm,
  'loop-mechanics/task.json': taskHarm,
  'prd/bare-list.json': prdHarm,
  'prd/prd.json': prdHarm,
};

it('knows every recorded file: as a sample of the contract, or as one beside', async () => {
  const sampled = new Set(
    (await allDialects()).flatMap(({ samples, unclaimed = [] }) => [...samples, ...unclaimed].map(({ text }) => text)),
  );
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const unknown = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !sampled.has(readFileSync(file, 'utf8')))
    .map((file) => path.relative(FOLDER, file).split(path.sep).join('/'));
  expect(files.length).toBeGreaterThan(unknown.length);
  expect(unknown.toSorted()).toEqual(Object.keys(BESIDE).toSorted());
});

describe.each(Object.entries(BESIDE))('%s', (name, judge) => {
  it('survives every kind of damage to every byte', () => {
    const bytes = readFileSync(path.join(FOLDER, name));
    expect(judge(bytes.toString('utf8'))).toEqual([]);
    const harm = Object.entries(DAMAGES).flatMap(([kind, damage]) =>
      Array.from(bytes, (_, at) =>
        judge(damage(bytes, at).toString('utf8')).map((what) => `byte ${at} ${kind}: ${what}`),
      ),
    );
    expect(harm.length).toBe(bytes.length * Object.keys(DAMAGES).length);
    expect(harm.flat().slice(0, 5)).toEqual([]);
  });
});

function workflowHarm(text: string): string[] {
  const found = readWorkflow(text);
  if (found.kind === 'invalid') return found.why === '' ? ['does not say why'] : [];
  const max = found.workflow.loop?.maxIterations ?? 0;
  return Number.isSafeInteger(max) && max >= 0 ? [] : [`maximum ${max}`];
}

function taskHarm(text: string): string[] {
  const task = readTask(text, '1');
  const { iteration } = task === undefined ? { iteration: 0 } : stateOfTask(task);
  return Number.isFinite(iteration) ? [] : [`iteration ${iteration}`];
}

/** Ticked whole: nothing but `passes` is another, and no broken list is written. */
function prdHarm(text: string): string[] {
  const found = readPrd(text);
  const met = found.kind === 'prd' ? found.criteria.map((criterion) => criterion.text) : [''];
  const ticked = tickPrd(text, met);
  if (found.kind === 'invalid') return ticked === text ? [] : ['a broken list was written'];
  const rest = (list: string): string | undefined =>
    JSON.stringify(readJson(list), (key, value: unknown) => (key === 'passes' ? undefined : value));
  const after = readPrd(ticked);
  return [
    ...(rest(ticked) === rest(text) ? [] : ['another key was changed']),
    ...(after.kind === 'prd' && after.criteriaMet.length === met.length ? [] : ['a tick is missing']),
  ];
}
