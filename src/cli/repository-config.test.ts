import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { hasCommands } from '../engine/repository-policy.ts';
import { readRepositoryConfig } from './repository-config.ts';

const aConfigured = (config: unknown) =>
  aProject({ '.tireless/config.json': typeof config === 'string' ? config : JSON.stringify(config) });

describe('readRepositoryConfig', () => {
  it('is nothing without a file', async () => {
    expect(await readRepositoryConfig(aProject())).toBeNull();
  });

  it('reads checks, protected files and limits', async () => {
    const project = aConfigured({
      version: 1,
      checks: [
        { name: 'unit', command: 'npm test', timeout: '90s', holdout: true },
        { name: 'notes', exists: 'NOTES.md' },
        { name: 'log', matches: { path: 'a.md', regex: '^x' } },
        { name: 'version', json: { path: 'package.json', pointer: '/version', equals: '2.0.0' } },
        { name: 'clean', gitClean: true },
      ],
      protect: ['test/**'],
      limits: { maxIterations: 10, maxDuration: '1h' },
    });
    const config = await readRepositoryConfig(project);
    expect(config?.checks[0]).toEqual({
      name: 'unit',
      probe: { kind: 'command', command: 'npm test' },
      timeoutMs: 90_000,
      holdout: true,
    });
    expect(config?.checks.map(({ probe }) => probe.kind)).toEqual([
      'command',
      'file-exists',
      'file-matches',
      'json-value',
      'git-clean',
    ]);
    expect(config).toMatchObject({ protect: ['test/**'], limits: { iterationsMax: 10, durationMaxMs: 3_600_000 } });
    expect(config !== null && hasCommands(config)).toBe(true);
  });

  it('asks for no trust where no command would run', async () => {
    const config = await readRepositoryConfig(aConfigured({ version: 1, limits: { maxCost: 2.5 } }));
    expect(config !== null && hasCommands(config)).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'JSON'],
    ['another version', { version: 2 }, 'version'],
    ['an unknown key', { version: 1, cheks: [] }, 'cheks'],
    ['a check without anything to ask', { version: 1, checks: [{ name: 'x' }] }, 'checks.0'],
    ['a limit that is none', { version: 1, limits: { maxIterations: 0 } }, 'limits.maxIterations'],
    [
      'a limit of the wrong kind',
      { version: 1, limits: { maxTokens: 'many' } },
      'limits.maxTokens must be a number or "unlimited"',
    ],
    ['a path outside', { version: 1, checks: [{ name: 'x', exists: '/etc/passwd' }] }, 'relative to the project'],
    ['a bad timeout', { version: 1, checks: [{ name: 'x', command: 'y', timeout: '5' }] }, 'the timeout of "x"'],
  ])('refuses %s and names it', async (_, config, part) => {
    const project = aConfigured(config);
    await expect(readRepositoryConfig(project)).rejects.toThrowError(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(new RegExp(`config\\.json[^]*${part}`)) as string,
      }),
    );
  });
});
