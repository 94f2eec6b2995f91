import type { PartRule } from './ecosystem.ts';
import type { ReplacedText } from './parts.ts';

type Directive = { readonly word: string; readonly lines: string[] };

/** go.mod: a line that begins with a word, or a block `word ( … )`. */
export function replaceDirectives(rule: PartRule, work: string, baseline: string): ReplacedText {
  const isJudge = ({ word }: Directive): boolean => rule.parts.includes(word);
  const own = directivesOf(work);
  const old = directivesOf(baseline).filter(isJudge);
  const names = new Set([...own.filter(isJudge), ...old].map(({ word }) => word));
  const changed = [...names].filter((word) => contentOf(own, word) !== contentOf(old, word));
  if (changed.length === 0) return { text: work, changed, added: [] };
  const kept = [...own.filter((directive) => !isJudge(directive)), ...old];
  return {
    text: `${kept
      .flatMap(({ lines }) => lines)
      .join('\n')
      .trimEnd()}\n`,
    changed,
    added: [],
  };
}

function directivesOf(text: string): Directive[] {
  const directives: Directive[] = [];
  let block: Directive | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (block !== undefined) {
      block.lines.push(line);
      if (/^\s*\)/.test(line)) block = undefined;
      continue;
    }
    const directive = { word: /^\s*([\w-]+)/.exec(line)?.[1] ?? '', lines: [line] };
    directives.push(directive);
    if (/\(\s*(?:\/\/.*)?$/.test(line) && directive.word !== '') block = directive;
  }
  return directives;
}

function contentOf(directives: readonly Directive[], word: string): string {
  return directives
    .filter((directive) => directive.word === word)
    .flatMap(({ lines }) =>
      lines.map((line) =>
        line
          .replace(/\/\/.*$/, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    )
    .filter((line) => line !== '')
    .join('\n');
}
