import { describe, expect, it } from 'vitest';
import { judgeOf } from './classify.ts';

type Files = Readonly<Record<string, string>>;

describe('a check', () => {
  it('is not run by make where a file or a folder has the name of its target, so that is a shadow', () => {
    const files: Files = {
      Makefile:
        'BIN = out/shop\n.PHONY: lint\n\ntest: lint unit | build\n\t./run.sh\n\nunit:\n\t./unit.sh\n\nlint:\n\t./lint.sh\n\nbuild: | tmp\n\tmkdir build\n\n$(BIN): shop.c\n\tcc shop.c\n\nrelease:\n\t./release.sh\n\n%.o: %.c\n\tcc $<\n',
      'shop.c': '',
    };
    const shadowsOf = (command: string, paths: readonly string[], given = files): readonly string[] => {
      const judge = judgeOf({
        commands: [command],
        paths: Object.keys(given),
        protect: [],
        free: [],
        readText: (path) => given[path],
      });
      return paths.filter((path) => judge.roleOf(path) === 'shadow');
    };
    const added = [
      'unit',
      'unit/notes.md',
      'build',
      'build/x',
      'lint',
      'lint/x',
      'out/shop',
      'release',
      'shop.c',
      'src/unit',
    ];
    expect(shadowsOf('make test', added)).toEqual(['unit', 'unit/notes.md', 'build', 'build/x']);
    expect(shadowsOf('make out/shop', ['out/shop', 'out/shop/x'])).toEqual(['out/shop/x']);
    expect(shadowsOf('make -C sub test', ['sub/test', 'test'], { 'sub/Makefile': 'test:\n\t./run.sh\n' })).toEqual([
      'sub/test',
    ]);
    expect(shadowsOf('just test', ['test'], { justfile: 'test:\n\t./run.sh\n' })).toEqual([]);
    expect(shadowsOf('make test', ['test'], { Makefile: 'test:\n\t./run.sh\n', test: '' })).toEqual([]);
  });
});
