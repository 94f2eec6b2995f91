import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { aSpec } from '../../test/support/a-loop.ts';
import { runStepsSync } from './command-steps.ts';
import { coverFiles, wallsFor } from './sandbox-walls.ts';

describe('coverFiles', () => {
  const tests = ['test/a.js', 'test/deep/b.js', 'test/deep/c.js', 'src/x.test.js'];
  const all = [...tests, 'src/x.js', 'README.md'];

  it('names each file while there are few, so that others can be added beside them', () => {
    expect(coverFiles(tests, all, 4)).toEqual(tests);
  });

  it('takes whole folders that hold nothing else when there are more', () => {
    expect(coverFiles(tests, all, 2)).toEqual(['test', 'src/x.test.js']);
    expect(coverFiles(tests, [...all, 'test/product.js'], 3)).toEqual(['test/a.js', 'test/deep', 'src/x.test.js']);
  });

  it('gives up rather than leaving some out, and never takes the whole project', () => {
    expect(coverFiles(tests, all, 1)).toBeNull();
    expect(coverFiles(['a.js', 'b.js'], ['a.js', 'b.js'], 1)).toBeNull();
  });
});

describe('wallsFor', () => {
  const walls = (project: string, home: string) =>
    runStepsSync(
      wallsFor({
        loop: 'a-loop',
        cwd: project,
        spec: aSpec({
          checks: [{ name: 'unit', probe: { kind: 'command', command: 'npm test' }, timeoutMs: 1000, holdout: false }],
          protect: ['rules.txt'],
        }),
        baseline: undefined,
        baselineDir: path.join(home, 'none'),
        home,
      }),
    );

  it("hides the loops, and makes the judge's files read-only where there is no baseline, too", () => {
    const project = aProject({ 'src/sum.js': '', 'test/sum.test.js': '', 'rules.txt': '', 'package.json': '{}' });
    const home = aProject();
    expect(walls(project, home)).toEqual({
      hidden: [home],
      readOnly: ['rules.txt', 'test/sum.test.js'].map((file) => path.join(project, file)),
    });
  });

  it('follows a link inside of the project, and leaves what leads out of it', () => {
    const project = aProject({ 'real/sum.js': '' });
    mkdirSync(path.join(project, 'test'));
    symlinkSync('../real/sum.js', path.join(project, 'test/sum.test.js'));
    symlinkSync('/etc/hostname', path.join(project, 'test/out.test.js'));
    expect(walls(project, aProject()).readOnly).toEqual([path.join(project, 'real/sum.js')]);
  });

  it('says what is in the way', () => {
    const home = aProject();
    const project = path.join(home, 'project');
    mkdirSync(project);
    expect(() => walls(project, home)).toThrow(expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE' }));
    const large = aProject();
    mkdirSync(path.join(large, 'src'));
    for (let index = 0; index < 201; index += 1) {
      mkdirSync(path.join(large, `src/${index}`));
      writeFileSync(path.join(large, `src/${index}/x.test.js`), '');
      writeFileSync(path.join(large, `src/${index}/x.js`), '');
    }
    expect(() => walls(large, home)).toThrow('201 files judge the work');
  });
});
