/**
 * Our command files (`/ralph` and the others) contain this mark, before the sentence that the agent reads. Hosts pass it on with the text of the
 * file, so the hook recognizes the file by it, however the sentence is worded.
 */
export const COMMAND_MARK = '[tireless:command]';

/** How that sentence began before there was a mark. Such files are still installed, so this text never changes. */
export const SENTENCE_BEFORE_MARK = 'The hook of tireless answers this command';

/** Is this the text of a command file of ours, of whatever version? */
export function isOurCommandText(text: string): boolean {
  return text.includes(COMMAND_MARK) || text.includes(SENTENCE_BEFORE_MARK);
}

/** Is this paragraph what a command file of ours tells the agent? */
export function isOurParagraph(text: string): boolean {
  return (text.startsWith(COMMAND_MARK) || text.startsWith(SENTENCE_BEFORE_MARK)) && !text.includes('\n');
}
