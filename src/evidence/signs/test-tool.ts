import { isRecord } from '../../core/is-record.ts';

/** Does a manifest describe the project as a tool for tests? Then its product naturally deals with runners, test files and their terms. */

const TEXT_CHARS_MAX = 100_000;
const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:cfg|py))$/;
/** Package names. The name of a framework alone says little: `vitest-example` only uses it. */
const NAMES =
  /\btest(?:ing)?-(?:runner|utils?|kit|library|helpers?|tools?)\b|\btestkit\b|\bassertions?\b|\bmatchers\b/i;
const KEYWORDS =
  /^(?:tests?|testing|tdd|bdd|tap|asserts?|assertions?|mock(?:s|ing)?|vitest|jest|mocha|chai|jasmine|ava)$|\b(?:test|testing|vitest|jest|mocha|chai)-(?:\w+)$/i;
const FRAMEWORKS = ['vitest', 'jest', '@jest/globals', 'mocha', 'chai', 'jasmine', 'ava'];
const PYTHON_TOOL =
  /^name ?= ?["'](?:pytest-|[\w.]{0,40}-?testing["'])|Framework :: Pytest|Software Development :: Testing|entry-points\.["']?pytest11|\bpytest11\b/m;

/** A file that describes the project. */
export function isManifest(path: string): boolean {
  return MANIFEST.test(path);
}

export function isTestTool(path: string, text: string): boolean {
  if (!isManifest(path)) return false;
  const known = text.slice(0, TEXT_CHARS_MAX);
  return path.endsWith('.json') ? isNodeTool(known) : PYTHON_TOOL.test(known);
}

function isNodeTool(text: string): boolean {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return false;
  }
  if (!isRecord(manifest)) return false;
  const { name, keywords, peerDependencies } = manifest;
  if (typeof name === 'string' && NAMES.test(name)) return true;
  if (Array.isArray(keywords) && keywords.some((word) => typeof word === 'string' && KEYWORDS.test(word))) return true;
  return isRecord(peerDependencies) && FRAMEWORKS.some((framework) => framework in peerDependencies);
}
