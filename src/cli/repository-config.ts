import path from 'node:path';
import { isFault } from '../core/fault.ts';
import type { CheckSpec, Limit, Limits, Probe, Timing } from '../core/loop.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../core/loop.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { readTextIfExists } from '../system/files.ts';
import { splitWords } from '../system/shell-line.ts';
import { inProject, reportPattern, requireRegExp } from './check-options.ts';
import type { ConfigCheck, ConfigFile } from './config-schema.ts';
import {
  parseDollarsLimit,
  parseDuration,
  parseDurationLimit,
  parseDurationOrNone,
  parseIterations,
  parseCount,
  parseTokens,
} from './flag-values.ts';

export function configFileOf(project: string): string {
  return path.join(project, '.tireless', 'config.json');
}

const REPOSITORY_OTHERWISE = 'Correct it, or continue without it: --no-repository-checks.';

/** `null` = the project has none. The schema is loaded only if there is a file to read. */
export async function readRepositoryConfig(
  project: string,
  otherwise: string = REPOSITORY_OTHERWISE,
): Promise<RepositoryConfig | null> {
  return readConfig(configFileOf(project), otherwise);
}

/** `null` = the file is missing. Throws `CONFIG_INVALID` with file, line and key. */
export async function readConfig(file: string, otherwise: string): Promise<RepositoryConfig | null> {
  const content = readTextIfExists(file);
  if (content === undefined) return null;
  const { decodeConfig, invalid } = await import('./config-schema.ts');
  const source = { file, content, otherwise };
  const decoded = await decodeConfig(source);
  const at: At = (key, parse) => {
    try {
      return parse(key.map(String).join('.'));
    } catch (error) {
      // The parsers are those of the flags, but here the mistake is in the file.
      if (!isFault(error)) throw error;
      const message = error.message.replace(/\.$/u, '');
      const [, value, wanted] = /^Cannot use (".*") for limits\.\w+: (it takes .*)$/u.exec(message) ?? [];
      throw invalid(
        source,
        key,
        value === undefined ? `cannot be used: ${message}` : `cannot be ${value}: ${wanted ?? ''}`,
      );
    }
  };
  return {
    file,
    content,
    checks: decoded.checks.map((check, index) => at(['checks', index], () => toCheck(check))),
    protect: decoded.protect,
    limits: toLimits(decoded.limits, at),
    ...agentOf(decoded, at),
    timing: toTiming(decoded.limits, at),
    finish: toFinish(decoded.finish),
  };
}

type At = <T>(path: readonly (string | number)[], parse: (name: string) => T) => T;

function agentOf({ agent, agentCommand, agentArgs }: ConfigFile, at: At): Pick<RepositoryConfig, 'agent'> {
  if (agent === undefined && agentCommand === undefined && agentArgs === undefined) return {};
  const args = at(['agentArgs'], (name) => [agentArgs ?? []].flat().flatMap((text) => splitWords(text, name)));
  return { agent: { name: agent, command: agentCommand, args } };
}

function toFinish({ claim, approve, requireVerified }: ConfigFile['finish']): NonNullable<RepositoryConfig['finish']> {
  return {
    ...(claim === undefined ? {} : { claim: [claim].flat() }),
    ...(approve === undefined ? {} : { approve }),
    ...(requireVerified === undefined ? {} : { requireVerified }),
  };
}

function toTiming(limits: ConfigFile['limits'], at: At): Partial<Timing> {
  const { iterationTimeout, idleTimeout, pauseBetween } = limits;
  const duration = (key: string, given: string): number => at(['limits', key], (name) => parseDuration(given, name));
  return {
    ...(iterationTimeout === undefined ? {} : { iterationTimeoutMs: duration('iterationTimeout', iterationTimeout) }),
    ...(idleTimeout === undefined ? {} : { idleTimeoutMs: duration('idleTimeout', idleTimeout) }),
    ...(pauseBetween === undefined
      ? {}
      : { pauseBetweenMs: at(['limits', 'pauseBetween'], (name) => parseDurationOrNone(pauseBetween, name)) }),
  };
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

function toLimits(limits: ConfigFile['limits'], at: At): Partial<Limits> {
  const { maxIterations, maxDuration, maxCost, maxTokens, maxFaults, maxNoProgress } = limits;
  const limit = (key: string, given: number | string, parse: (text: string, name: string) => Limit): Limit =>
    at(['limits', key], (name) => parse(String(given), name));
  return {
    ...(maxIterations === undefined ? {} : { iterationsMax: limit('maxIterations', maxIterations, parseIterations) }),
    ...(maxDuration === undefined ? {} : { durationMaxMs: limit('maxDuration', maxDuration, parseDurationLimit) }),
    ...(maxCost === undefined ? {} : { costMaxUsd: limit('maxCost', maxCost, parseDollarsLimit) }),
    ...(maxTokens === undefined ? {} : { tokensMax: limit('maxTokens', maxTokens, parseTokens) }),
    ...(maxFaults === undefined ? {} : { faultsInRowMax: limit('maxFaults', maxFaults, parseCount) }),
    ...(maxNoProgress === undefined ? {} : { noProgressMax: limit('maxNoProgress', maxNoProgress, parseCount) }),
  };
}
