import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../../test/support/a-project.ts';
import type { JudgeChange } from '../../core/room.ts';
import { judgeOf } from '../judge/classify.ts';
import type { FileList } from './file-list.ts';
import type { Watch } from './watch-judge.ts';
import { watchJudge } from './watch-judge.ts';

const HELLO = 'ce013625030ba8dba906f756967f9e9ca394464a';

function aWatch(differs?: string): { readonly root: string; readonly watch: Watch } {
  const root = aProject();
  const names = ['test/a.test.js', 'test/b.test.js', 'src/a.js', 'test/__snapshots__/a.test.js.snap'];
  put(root, Object.fromEntries(names.map((name) => [name, 'hello\n'])));
  if (differs !== undefined) put(root, { [differs]: 'other\n' });
  const files: FileList = new Map(names.map((name) => [name, { mode: '100644', blob: HELLO }]));
  const judge = judgeOf({ commands: ['node --test'], paths: names, protect: [], free: [], readText: () => undefined });
  return { root, watch: watchJudge(root, { files, texts: new Map() }, judge) };
}

function changed(file: string, change: JudgeChange['change']): JudgeChange {
  return { path: file, change, part: 'while the checks ran', stands: true };
}

describe('a room', () => {
  it.each([
    [undefined, undefined],
    ['test/b.test.js', 'test/b.test.js'],
    ['src/a.js', undefined],
  ])('whose file %s is not the stored one is refused if the file judges', (differs, expected) => {
    expect(aWatch(differs).watch.misplaced).toBe(expected);
  });
});

describe('a run in the room', () => {
  it('is seen to rewrite or remove files that judge it, and no others', () => {
    const { root, watch } = aWatch();
    expect(watch.rewritten({})).toEqual([]);
    for (const name of ['test/a.test.js', 'src/a.js', 'test/new.test.js'])
      writeFileSync(path.join(root, name), 'other\n');
    rmSync(path.join(root, 'test/b.test.js'));
    expect(watch.rewritten({})).toEqual([changed('test/a.test.js', 'modified'), changed('test/b.test.js', 'deleted')]);
  });

  it('is seen to rewrite a file and put it back, with its times, its bytes or the file itself', () => {
    const { root, watch } = aWatch();
    const file = path.join(root, 'test/a.test.js');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'other\n');
    writeFileSync(file, 'hello\n');
    utimesSync(file, atime, mtime);
    const other = path.join(root, 'test/b.test.js');
    renameSync(other, `${other}.kept`);
    renameSync(`${other}.kept`, other);
    expect(watch.rewritten({})).toEqual([changed('test/a.test.js', 'modified'), changed('test/b.test.js', 'modified')]);
  });

  it('is seen to move a folder of tests away and back', async () => {
    const { root, watch } = aWatch();
    await wait(5);
    renameSync(path.join(root, 'test'), path.join(root, 'kept'));
    put(root, { 'test/a.test.js': 'other\n' });
    rmSync(path.join(root, 'test'), { recursive: true });
    renameSync(path.join(root, 'kept'), path.join(root, 'test'));
    expect(watch.rewritten({})).toEqual([changed('test/', 'modified')]);
  });

  it('is seen to add what configures a runner', () => {
    const { root, watch } = aWatch();
    put(root, { 'test/conftest.py': '', 'vitest.config.js': '', 'test/out.txt': '' });
    expect(watch.rewritten({})).toEqual([changed('test/conftest.py', 'added'), changed('vitest.config.js', 'added')]);
    expect(watch.rewritten({ written: ['vitest.config.js'] })).toEqual([changed('test/conftest.py', 'added')]);
  });

  it('may add to a snapshot, and not change it', () => {
    const { root, watch } = aWatch();
    const file = path.join(root, 'test/__snapshots__/a.test.js.snap');
    writeFileSync(file, 'more\nhello\n');
    expect(watch.rewritten({})).toEqual([]);
    writeFileSync(file, 'hallo\n');
    expect(watch.rewritten({})).toEqual([changed('test/__snapshots__/a.test.js.snap', 'modified')]);
  });

  it('may write what the checks of the untouched project write, and as they do', () => {
    const { root, watch } = aWatch();
    writeFileSync(path.join(root, 'test/a.test.js'), 'hello\n');
    writeFileSync(path.join(root, 'test/b.test.js'), 'other\n');
    const known = watch.written();
    expect(known).toEqual({ written: ['test/b.test.js'], touched: ['test/a.test.js'] });
    expect(watch.rewritten(known)).toEqual([]);
    writeFileSync(path.join(root, 'test/a.test.js'), 'other\n');
    expect(watch.rewritten(known)).toEqual([changed('test/a.test.js', 'modified')]);
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
    const files = new Map(names.map((name) => [name, { mode: '100644', blob: HELLO }]));
    const watch = watchJudge(root, { files, texts: new Map() }, judge);
    for (const name of names)
      writeFileSync(path.join(root, name), `${readFileSync(path.join(root, name), 'utf8')}more`);
    expect(watch.written()).toEqual({ written: ['*'] });
    expect(watch.rewritten({ written: ['*'] })).toEqual([]);
    expect(watch.rewritten({})).toHaveLength(201);
  });
});
