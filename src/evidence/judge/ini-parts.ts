import { withoutByteOrderMark } from '../../core/parse-json.ts';
import { linkOf, matchesName } from '../glob.ts';
import type { PartRule } from './ecosystem.ts';
import type { ReplacedText } from './parts.ts';

type Section = { readonly name: string; readonly lines: string[] };

/** Whole sections: the agent's are removed, and the baseline's are appended. */
export function replaceSections(rule: PartRule, work: string, baseline: string): ReplacedText {
  const links = rule.parts.map((part) => linkOf(part, null));
  const isJudge = ({ name }: Section): boolean => links.some((link) => matchesName(link, name));
  const own = sectionsOf(work);
  const old = sectionsOf(baseline).filter(isJudge);
  const names = new Set([...own.filter(isJudge), ...old].map(({ name }) => name));
  const changed = [...names].filter((name) => contentOf(own, name) !== contentOf(old, name));
  if (changed.length === 0) return { text: work, changed, added: [] };
  const kept = [...own.filter((section) => !isJudge(section)), ...old];
  const texts = kept.map(({ lines }) => lines.join('\n').trimEnd()).filter((text) => text !== '');
  return { text: `${texts.join('\n\n')}\n`, changed, added: [] };
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ name: '', lines: [] }];
  for (const line of withoutByteOrderMark(text).split(/\r?\n/)) {
    const name = /^\s*\[([^\]\n]*)\]/.exec(line)?.[1]?.trim();
    if (name === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ name, lines: [line] });
  }
  return sections;
}

/** Without comments and empty lines. */
function contentOf(sections: readonly Section[], name: string): string {
  return sections
    .filter((section) => section.name === name)
    .flatMap(({ lines }) => lines.map((line) => line.trimEnd()).filter((line) => line !== '' && !/^\s*[#;]/.test(line)))
    .join('\n');
}
