const TOPIC_CHARS_MAX = 200;

/** The first line of a goal, which distinguishes it from other goals; the rest may be edited while a loop runs. */
export function topicOf(goal: string): string {
  return (/^.*/u.exec(goal.trim())?.[0] ?? '').trim().slice(0, TOPIC_CHARS_MAX);
}
