/**
 * Our command files (`/ralph` and the others) contain this mark, before the sentence that the agent reads. Hosts pass it on with the text
 * of the file, so the hook recognises the file by it, whatever the wording of the sentence.
 */
export const COMMAND_MARK = '[tireless:command]';

/** The start of that sentence before there was a mark. Such files are still installed, so this text never changes. */
export const SENTENCE_BEFORE_MARK = 'The hook of tireless answers this command';

/** Is this the text of a command file of ours, from any version? */
export function isOurCommandText(text: string): boolean {
  return text.includes(COMMAND_MARK) || text.includes(SENTENCE_BEFORE_MARK);
}

/** Is this the paragraph for the agent in a command file of ours? */
export function isOurParagraph(text: string): boolean {
  return (text.startsWith(COMMAND_MARK) || text.startsWith(SENTENCE_BEFORE_MARK)) && !text.includes('\n');
}
