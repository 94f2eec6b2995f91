import type { Fields } from './fields.ts';
import { textIn } from './fields.ts';

const ESCAPED_TAG = /^[ \t]*&lt;([\w-]+)&gt;(.*)&lt;\/\1&gt;[ \t]*$/gmu;

/** Some hosts show the agent our prompts with `&lt;` for `<`, and it may write its claim the same way: such a line counts as the tag. */
export function messageWithTags(fields: Fields): string | undefined {
  return textIn(fields, 'last_assistant_message')?.replaceAll(ESCAPED_TAG, '<$1>$2</$1>');
}
