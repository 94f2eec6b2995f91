/** Quotes any text as one word for a POSIX shell. `always`: even if no quotes are needed, for generated scripts. */
export function shellWord(word: string, quotes: 'if-needed' | 'always' = 'if-needed'): string {
  if (quotes === 'if-needed' && /^[\w@%+=:,./-]+$/u.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Is an id safe without quotes in a path and in a command that somebody pastes into a shell? */
export function isPlainId(id: string): boolean {
  return /^[\w.-]+$/u.test(id);
}
