const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|^[\u{20000}-\u{3FFFD}]/u;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}\uFE0F]/u;

/** The longest prefix of a text that takes at most `columns` columns, so that a drawn line never wraps. */
export function fitWidth(text: string, columns: number): string {
  let used = 0;
  const kept: string[] = [];
  for (const character of text) {
    used += columnsOf(character);
    if (used > columns) return `${kept.slice(0, -1).join('')}…`;
    kept.push(character);
  }
  return text;
}

/** How many columns a text takes. */
export function widthOf(text: string): number {
  let used = 0;
  for (const character of text) used += columnsOf(character);
  return used;
}

function columnsOf(character: string): number {
  if (NOTHING.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
