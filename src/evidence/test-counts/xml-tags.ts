export type Tag = {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  /** As written in the text. */
  readonly attributes: string;
};

const NAME = /\/?([\w:.-]+)/y;
const MARK = /["'<>]/g;
const ATTRIBUTES_CHARS_MAX = 10_000;

/**
 * The tags of an XML text, without the contents of comments and CDATA: tests print there. `undefined` = it is incomplete, like a report whose
 * writer was ended early. Written by hand, because a regular expression takes minutes for some texts of a few megabytes, and tests can write them.
 */
export function tagsOf(xml: string): readonly Tag[] | undefined {
  const tags: Tag[] = [];
  const open: string[] = [];
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const end = endOf(xml, at);
    if (end < 0) return undefined;
    const tag = tagAt(xml, at, end);
    at = end;
    if (tag === undefined) continue;
    if (tag.kind === 'open') open.push(tag.name);
    if (tag.kind === 'close' && open.pop() !== tag.name) return undefined;
    tags.push(tag);
  }
  return open.length === 0 ? tags : undefined;
}

/** The position after the construct that begins at `at`; -1 = it does not end. */
function endOf(xml: string, at: number): number {
  if (xml.startsWith('<!--', at)) return indexAfter(xml, '-->', at + 4);
  if (xml.startsWith('<![CDATA[', at)) return indexAfter(xml, ']]>', at + 9);
  if (xml.startsWith('<?', at)) return indexAfter(xml, '?>', at + 2);
  for (MARK.lastIndex = at + 1; ;) {
    const mark = MARK.exec(xml)?.[0];
    if (mark === undefined || mark === '<') return -1;
    if (mark === '>') return MARK.lastIndex;
    const closing = xml.indexOf(mark, MARK.lastIndex);
    if (closing < 0) return -1;
    MARK.lastIndex = closing + 1;
  }
}

function indexAfter(xml: string, what: string, from: number): number {
  const found = xml.indexOf(what, from);
  return found < 0 ? -1 : found + what.length;
}

/** `undefined` = a comment, a declaration or an instruction. */
function tagAt(xml: string, at: number, end: number): Tag | undefined {
  NAME.lastIndex = at + 1;
  const name = NAME.exec(xml)?.[1];
  if (name === undefined) return undefined;
  const attributes = xml.slice(NAME.lastIndex, Math.min(end - 1, NAME.lastIndex + ATTRIBUTES_CHARS_MAX));
  const kind = xml[at + 1] === '/' ? 'close' : xml[end - 2] === '/' ? 'empty' : 'open';
  return { name, kind, attributes };
}
