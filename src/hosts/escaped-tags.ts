const ESCAPED_TAG = /^[ \t]*&lt;([\w-]+)&gt;(.*)&lt;\/\1&gt;[ \t]*$/gmu;

/** Some hosts show the agent our prompts with `&lt;` for `<`, and it may claim in the same letters: such a line is the tag it stands for. */
export function withTags(message: string): string {
  return message.includes('&lt;') ? message.replaceAll(ESCAPED_TAG, '<$1>$2</$1>') : message;
}
