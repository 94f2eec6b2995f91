import type { Fields } from './fields.ts';
import { textIn } from './fields.ts';

const ESCAPED_TAG = /^[ \t]*&lt;([\w-]+)&gt;(.*)&lt;\/\1&gt;[ \t]*$/gmu;

/** Some hosts show the agent our prompts with `&lt;` for `<`, and it may claim in the same letters: such a line is the tag it stands for. */
export function messageWithTags(fields: Fields): string | undefined {
  return textIn(fields, 'last_assistant_message')?.replaceAll(ESCAPED_TAG, '<$1>$2</$1>');
}
