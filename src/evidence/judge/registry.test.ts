import { describe, expect, it } from 'vitest';
import { DEPENDENCIES } from './classify.ts';
import { ECOSYSTEMS, isJudgeVariable, JUDGE_HOME } from './registry.ts';

describe('variables', () => {
  it.each([
    'PATH',
    'NODE_OPTIONS',
    'NODE_PATH',
    'npm_config_script_shell',
    'NPM_CONFIG_NODE_OPTIONS',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PYTEST_ADDOPTS',
    'PYTEST_PLUGINS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'ENV',
    'MAKEFLAGS',
    'RUSTFLAGS',
    'CARGO_TARGET_DIR',
    'GOFLAGS',
    'JAVA_TOOL_OPTIONS',
    'MAVEN_OPTS',
    'RUBYOPT',
    'PHP_INI_SCAN_DIR',
    'DOTNET_STARTUP_HOOKS',
    'GTEST_FILTER',
    'VITEST',
  ])('%s steers a runner', (name) => {
    expect(isJudgeVariable(name)).toBe(true);
  });

  it.each([
    'LANG',
    'TERM',
    'USER',
    'DATABASE_URL',
    'API_KEY',
    'PORT',
    'GOAL',
    'EDITOR',
    'TESTAMENT',
    'ENVIRONMENT',
    'MAKER',
  ])('%s does not', (name) => {
    expect(isJudgeVariable(name)).toBe(false);
  });
});

it('dotfiles are relative to HOME', () => {
  expect(JUDGE_HOME).toContain('.npmrc');
  expect(JUDGE_HOME).toContain('.config/pip/pip.conf');
  expect(JUDGE_HOME).toContain('.m2/settings.xml');
  expect(JUDGE_HOME.filter((pattern) => /^[/~]|\.\./.test(pattern))).toEqual([]);
});

it('folders of dependencies are named once', () => {
  const names = DEPENDENCIES.map(({ folder, marker }) => `${folder} ${marker ?? ''}`);
  expect(names).toContain('node_modules ');
  expect(new Set(names).size).toBe(names.length);
});

it('every ecosystem has a name of its own', () => {
  const names = ECOSYSTEMS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
