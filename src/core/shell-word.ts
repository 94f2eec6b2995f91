/** One word for a POSIX shell, whatever is in it. `always`: in quotes also where none are needed, as in a generated script. */
export function shellWord(word: string, quotes: 'if-needed' | 'always' = 'if-needed'): string {
  if (quotes === 'if-needed' && /^[\w@%+=:,./-]+$/u.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** May an id stand unquoted in a command that somebody copies into a shell, and in a path? */
export function isPlainId(id: string): boolean {
  return /^[\w.-]+$/u.test(id);
}
