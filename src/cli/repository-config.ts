import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { CheckSpec, Limits, Probe } from '../core/loop.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../core/loop.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { readTextIfExists } from '../system/files.ts';
import { inProject, reportPattern, requireRegExp } from './checks-from-flags.ts';
import type { ConfigCheck, ConfigFile } from './config-schema.ts';
import {
  parseDollarsLimit,
  parseDuration,
  parseDurationLimit,
  parseIterations,
  parseCount,
  parseTokens,
} from './flag-values.ts';

export function configFileOf(project: string): string {
  return path.join(project, '.tireless', 'config.json');
}

/** `null` = the project has none. The schema is loaded only when there is a file to read. */
export async function readRepositoryConfig(project: string): Promise<RepositoryConfig | null> {
  const file = configFileOf(project);
  const content = readTextIfExists(file);
  if (content === undefined) return null;
  const { decodeConfig } = await import('./config-schema.ts');
  return toConfig(decodeConfig(content, file), file, content);
}

function toConfig(decoded: ConfigFile, file: string, content: string): RepositoryConfig {
  try {
    return {
      file,
      content,
      checks: decoded.checks.map(toCheck),
      protect: decoded.protect,
      limits: toLimits(decoded.limits),
    };
  } catch (error) {
    // The same parsers as for flags; here the mistake is in the file.
    throw error instanceof Fault
      ? new Fault('CONFIG_INVALID', `Cannot use ${file}: ${error.message}`, { cause: error })
      : error;
  }
}

function toCheck(check: ConfigCheck): CheckSpec {
  const timeoutMs =
    check.timeout === undefined
      ? DEFAULT_CHECK_TIMEOUT_MS
      : parseDuration(check.timeout, `the timeout of "${check.name}"`);
  const reports = 'command' in check ? [check.report ?? []].flat() : [];
  return {
    name: check.name,
    probe: toProbe(check),
    timeoutMs,
    holdout: check.holdout ?? false,
    ...(reports.length === 0 ? {} : { reports: reports.map((given) => reportPattern(given, 'report')) }),
  };
}

function toProbe(check: ConfigCheck): Probe {
  if ('command' in check) return { kind: 'command', command: check.command };
  if ('exists' in check) return { kind: 'file-exists', path: inProject(check.exists, 'exists') };
  if ('matches' in check) {
    requireRegExp(check.matches.regex);
    return { kind: 'file-matches', path: inProject(check.matches.path, 'matches'), pattern: check.matches.regex };
  }
  if ('json' in check)
    return {
      kind: 'json-value',
      path: inProject(check.json.path, 'json'),
      pointer: check.json.pointer,
      equals: check.json.equals,
    };
  return { kind: 'git-clean' };
}

function toLimits(limits: ConfigFile['limits']): Partial<Limits> {
  const { maxIterations, maxDuration, maxCost, maxTokens, maxFaults, maxNoProgress } = limits;
  return {
    ...(maxIterations === undefined
      ? {}
      : { iterationsMax: parseIterations(String(maxIterations), 'limits.maxIterations') }),
    ...(maxDuration === undefined ? {} : { durationMaxMs: parseDurationLimit(maxDuration, 'limits.maxDuration') }),
    ...(maxCost === undefined ? {} : { costMaxUsd: parseDollarsLimit(String(maxCost), 'limits.maxCost') }),
    ...(maxTokens === undefined ? {} : { tokensMax: parseTokens(String(maxTokens), 'limits.maxTokens') }),
    ...(maxFaults === undefined ? {} : { faultsInRowMax: parseCount(String(maxFaults), 'limits.maxFaults') }),
    ...(maxNoProgress === undefined
      ? {}
      : { noProgressMax: parseCount(String(maxNoProgress), 'limits.maxNoProgress') }),
  };
}
