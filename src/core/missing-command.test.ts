import { describe, expect, it } from 'vitest';
import { missingCommandLine } from './missing-command.ts';

describe('a command that does not exist', () => {
  it.each([
    ['npm tset', 'Unknown command: "tset"\n\n\nDid you mean this?\n  npm set # Set a value'],
    ['npm run tset', 'npm warn Unknown user config "x".\nnpm error Missing script: "tset"\nnpm error'],
    ['npm run tset, npm 8', 'npm ERR! Missing script: "tset"'],
    ['yarn tset', 'yarn run v1.22.22\nerror Command "tset" not found.\ninfo Visit …'],
    ['pnpm run tset', ' ERR_PNPM_NO_SCRIPT  Missing script: tset'],
    ['bun run tset', 'error: Script not found "tset"'],
    ['make tset', "make: *** No rule to make target 'tset'.  Stop."],
    ['cargo tset', 'error: no such command: `tset`\n\nhelp: a command with a similar name exists: `test`'],
    ['go tset', "go tset: unknown command\nRun 'go help' for usage."],
    ['python -m pytst', '/usr/bin/python3: No module named pytst'],
  ])('is seen in the output of %s', (_, output) => {
    expect(missingCommandLine(output)).toBeDefined();
  });

  it.each([
    [
      'a script that runs another one',
      '> shop@1.0.0 test\n> npm run unit\n\nRunning\nnpm error Missing script: "unit"',
    ],
    ['a target that a target needs', "make: *** No rule to make target 'a.c', needed by 'test'.  Stop."],
    ['a failing test', 'not ok 1 - Unknown command: "x"'],
    ['nothing', ''],
  ])('is not seen in %s', (_, output) => {
    expect(missingCommandLine(output)).toBeUndefined();
  });
});
