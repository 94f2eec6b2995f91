import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../../test/support/a-project.ts';
import { judgeOf } from '../judge/classify.ts';
import type { FileList } from './file-list.ts';
import type { Watch } from './watch-judge.ts';
import { watchJudge } from './watch-judge.ts';

const HELLO = 'ce013625030ba8dba906f756967f9e9ca394464a';

function aWatch(): { readonly root: string; readonly watch: Watch } {
  const root = aProject();
  const names = ['test/a.test.js', 'test/b.test.js', 'src/a.js', 'test/__snapshots__/a.test.js.snap'];
  put(root, Object.fromEntries(names.map((name) => [name, 'hello\n'])));
  const files: FileList = new Map(names.map((name) => [name, { mode: '100644', blob: HELLO }]));
  const judge = judgeOf({ commands: ['node --test'], paths: names, protect: [], free: [], readText: () => undefined });
  return { root, watch: watchJudge(root, files, judge) };
}

describe('a run in the room', () => {
  it('is seen to rewrite or remove files that judge it, and no others', () => {
    const { root, watch } = aWatch();
    expect(watch.rewritten([])).toEqual([]);
    for (const name of ['test/a.test.js', 'src/a.js', 'test/__snapshots__/a.test.js.snap', 'test/new.test.js'])
      writeFileSync(path.join(root, name), 'other\n');
    rmSync(path.join(root, 'test/b.test.js'));
    expect(watch.rewritten([])).toEqual([
      { path: 'test/a.test.js', change: 'modified', part: 'while the checks ran', stands: true },
      { path: 'test/b.test.js', change: 'deleted', part: 'while the checks ran', stands: true },
    ]);
  });

  it('may write a file as it was, and one that the checks of the untouched project write too', () => {
    const { root, watch } = aWatch();
    writeFileSync(path.join(root, 'test/a.test.js'), 'hello\n');
    expect(watch.rewritten([])).toEqual([]);
    expect(watch.written()).toEqual(['test/a.test.js']);
    writeFileSync(path.join(root, 'test/a.test.js'), 'other\n');
    expect(watch.rewritten(['test/a.test.js'])).toEqual([]);
    expect(watch.rewritten(['test/b.test.js'])).toHaveLength(1);
  });

  it('that wrote more than can be remembered is not compared', () => {
    const root = aProject();
    mkdirSync(path.join(root, 'test'));
    const names = Array.from({ length: 201 }, (_, index) => `test/${index}.test.js`);
    put(root, Object.fromEntries(names.map((name) => [name, 'hello\n'])));
    const judge = judgeOf({
      commands: ['node --test'],
      paths: names,
      protect: [],
      free: [],
      readText: () => undefined,
    });
    const watch = watchJudge(root, new Map(names.map((name) => [name, { mode: '100644', blob: HELLO }])), judge);
    for (const name of names)
      writeFileSync(path.join(root, name), `${readFileSync(path.join(root, name), 'utf8')}more`);
    expect(watch.written()).toEqual(['*']);
    expect(watch.rewritten(['*'])).toEqual([]);
    expect(watch.rewritten([])).toHaveLength(201);
  });
});
