import { withoutByteOrderMark } from '../../core/parse-json.ts';
import { isRecord } from '../../core/is-record.ts';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import type { PartRule } from './ecosystem.ts';
import { replaceDirectives } from './directive-parts.ts';
import { replaceSections } from './ini-parts.ts';
import { withInlineTests } from './inline-tests.ts';
import { indexPatterns } from './path-index.ts';
import { ECOSYSTEMS } from './registry.ts';
import { replaceTestModules } from './rust-parts.ts';
import { replaceParts } from './tree-parts.ts';
import { replaceElements } from './xml-parts.ts';

export type JudgeParts = {
  /** The text for a room; `undefined`: the file is left out of it. */
  readonly text: string | undefined;
  /** Names of the parts where the agent's text differs from the baseline and that were restored or removed (`scripts/test`). */
  readonly changed: readonly string[];
  /** Names of parts that the agent added and that may stay if they only add tests, whether or not they were kept. */
  readonly added: readonly string[];
};

export type PartsOptions = {
  /** Keep added parts that can only add tests (a new npm script). */
  readonly keepAdded: boolean;
  /** Keys of `imports` that belong to the judge. */
  readonly aliases?: readonly string[];
};

/** A text and what was done to it. */
export type ReplacedText = JudgeParts & { readonly text: string };

/** Stands for all parts if a text could not be parsed. */
export const WHOLE_FILE = 'the whole file';

const RULES = indexPatterns(ECOSYSTEMS.flatMap(({ parts }) => parts.map((rule) => ({ glob: rule.glob, value: rule }))));

/**
 * The agent's text of a file that product and judge share, with the judge's parts from the baseline. `undefined` is a file that does not
 * exist: a deleted file is restored from the baseline (a source file stays deleted), an added file loses the judge's parts. A text that cannot
 * be read is replaced by the baseline's. If there is nothing to replace, the same bytes are returned; otherwise only the content is kept.
 * Never throws.
 */
export function withJudgeParts(
  path: string,
  work: string | undefined,
  baseline: string | undefined,
  options: PartsOptions = { keepAdded: false },
): JudgeParts {
  if (work === baseline) return { text: work, changed: [], added: [] };
  const [rule] = RULES.find(path);
  if (work === undefined) {
    if (rule?.mayBeDeleted !== true) return { text: baseline, changed: [WHOLE_FILE], added: [] };
    return { text: undefined, changed: replaceIn(rule, '', baseline ?? '', options)?.changed ?? [], added: [] };
  }
  if (rule === undefined) return { ...withInlineTests(path, work, baseline ?? ''), added: [] };
  const replaced = replaceIn(baseline === undefined ? inNewFile(rule) : rule, work, baseline ?? '', options);
  if (rule.format === 'rust-tests' && replaced?.text !== undefined) {
    const { text, changed } = withInlineTests(path, replaced.text, baseline ?? '');
    return { text, changed: [...replaced.changed, ...changed], added: replaced.added };
  }
  return replaced ?? { text: baseline, changed: [WHOLE_FILE], added: [] };
}

function inNewFile(rule: PartRule): PartRule {
  const { freeInNewFile: free = [] } = rule;
  return { ...rule, parts: rule.parts.filter((part) => !free.includes(part)) };
}

/** The names of the judge's parts in a text: those that would be restored in an empty one. */
export function judgePartsIn(path: string, text: string, aliases: readonly string[] = []): readonly string[] {
  const [rule] = RULES.find(path);
  if (rule === undefined || text === '') return [];
  const replaced = replaceIn(rule, rule.format === 'json' ? '{}' : '', text, { keepAdded: false, aliases });
  return replaced?.changed ?? [WHOLE_FILE];
}

/** `undefined` = the agent's text cannot be read for any reason, so none of it is trusted. */
function replaceIn(rule: PartRule, work: string, baseline: string, options: PartsOptions): JudgeParts | undefined {
  try {
    switch (rule.format) {
      case 'json':
        return inTree(rule, options, {
          work,
          baseline,
          read: readJson,
          write: (value) => `${JSON.stringify(value, null, 2)}\n`,
        });
      case 'toml':
        return inTree(rule, options, { work, baseline, read: parseToml, write: stringifyToml });
      case 'ini':
        return replaceSections(rule, work, baseline);
      case 'xml':
        return replaceElements(rule, work, baseline);
      case 'directives':
        return replaceDirectives(rule, work, baseline);
      case 'rust-tests':
        return replaceTestModules(work, baseline, options);
    }
  } catch {
    return undefined;
  }
}

type TreeTexts = {
  readonly work: string;
  readonly baseline: string;
  readonly read: (text: string) => unknown;
  readonly write: (value: unknown) => string;
};

function inTree(
  rule: PartRule,
  options: PartsOptions,
  { work, baseline, read, write }: TreeTexts,
): JudgeParts | undefined {
  const value = read(work);
  if (!isRecord(value)) return undefined;
  const before = readOrEmpty(baseline, read);
  const { changed, added } = replaceParts(rule, value, before, options);
  return {
    text: changed.length === 0 && (added.length === 0 || options.keepAdded) ? work : write(value),
    changed,
    added,
  };
}

/** A broken baseline has no parts. */
function readOrEmpty(text: string, read: (text: string) => unknown): Record<string, unknown> {
  try {
    const value = read(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function readJson(text: string): unknown {
  return JSON.parse(withoutByteOrderMark(text));
}
