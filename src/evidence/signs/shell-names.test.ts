import { describe, expect, it } from 'vitest';
import { fixedNameSigns } from './shell-names.ts';

const TEST = '. ./lib/calc.sh\nfails=0\ncheck() { [ "$1" = "$2" ] || fails=$((fails + 1)); }\n((count++))\n';

function signs(after: string, test = TEST, before = 'add() { :; }\n'): number {
  return fixedNameSigns([{ path: 'lib/calc.sh', isTest: false, before, after }], [test]).length;
}

describe('a shell library that a test sources', () => {
  it.each([
    ['declare -r fails=0\n'],
    ['readonly fails=0\n'],
    ['declare -g -r fails\n'],
    ['readonly -- x=1 fails=0\n'],
    ['typeset -ir count=0\n'],
    ['add() { readonly fails=0; }\n'],
    ['declare -n fails=other\n'],
  ])('must not fix a variable of the test: %s', (after) => {
    expect(signs(after)).toBe(1);
  });

  it('may fix its own variables', () => {
    expect(signs('readonly VERSION=1\ndeclare -r limit=3\ndeclare -a fails_of_all=()\nfails=2\n')).toBe(0);
    expect(signs('readonly fails=0\n', TEST, 'readonly fails=0\n')).toBe(0);
  });

  it('may do so if no test sources it', () => {
    expect(signs('readonly fails=0\n', TEST.replace('. ./lib/calc.sh', './lib/calc.sh'))).toBe(0);
    expect(signs('#!/bin/sh\nreadonly fails=0\n', TEST.replace('calc.sh', 'other.sh'))).toBe(0);
    expect(signs('readonly fails=0\n', '')).toBe(0);
  });
});
