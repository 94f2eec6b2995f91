import { expect, it } from 'vitest';
import { aCheck, aSpec } from '../../../test/support/a-loop.ts';
import type { RepositoryConfig } from '../repository-policy.ts';
import { checkOrigins } from './value-origins.ts';

const aConfig = (...names: readonly string[]): RepositoryConfig => ({
  file: 'tireless.json',
  content: '{}',
  checks: names.map((name) => aCheck(name)),
  protect: [],
  limits: {},
});

it.each<[string, RepositoryConfig | null, RepositoryConfig | null]>([
  ['project', aConfig('lint'), null],
  ['project', aConfig('lint'), aConfig('other')],
  ['user', null, aConfig('lint')],
  ['user', aConfig(), aConfig('lint')],
])('a check that was not typed comes from the file that has checks: %s', (from, project, user) => {
  const spec = aSpec({ checks: [aCheck('unit'), aCheck('lint')] });
  const options = { checks: { commands: ['unit'] } } as never;
  const origins = checkOrigins({ spec, options, configs: { project, user }, hasTemplateLimit: false });
  expect(origins.map(({ check, from: origin }) => [check.name, origin])).toEqual([
    ['unit', 'typed'],
    ['lint', from],
  ]);
});
