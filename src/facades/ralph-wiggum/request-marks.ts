/**
 * A comment, invisible in Markdown viewers, by which tireless recognises its own files in the vault. The sentences around it may change
 * with any version. A mark alone proves nothing, because an agent can write one too: the caller compares it with the journal.
 */
type RequestMark = { readonly loopId: string; readonly iteration: number; readonly at: string };

export function requestMark({ loopId, iteration, at }: RequestMark): string {
  return `<!-- tireless:request ${iteration} ${at} ${escaped(loopId)} -->`;
}

/** The iteration after which a request was written and when; `null` = the text is not a request of this loop. */
export function readRequestMark(text: string, loopId: string): Omit<RequestMark, 'loopId'> | null {
  const marked = /^<!-- tireless:request (\d+) (\S+) /mu.exec(text);
  if (marked === null) return readUnmarked(text, loopId);
  const [, iteration = '', at = ''] = marked;
  const mark = { iteration: Number(iteration), at };
  return text.includes(requestMark({ ...mark, loopId })) ? mark : null;
}

export function reviewMark(loop: string): string {
  return `<!-- tireless:review ${escaped(loop)} -->`;
}

export function isReviewOf(text: string, loop: string): boolean {
  return text.includes(reviewMark(loop)) || text.includes(`\`${UNMARKED_REVIEW} ${loop}\``);
}

/** Versions before the marks were recognised by these words. They are compared with old files, and never written. */
const UNMARKED_TITLE = ['#', 'Approval', 'needed:', 'loop'].join(' ');
const UNMARKED_REVIEW = ['tireless', 'explain'].join(' ');

function readUnmarked(text: string, loopId: string): Omit<RequestMark, 'loopId'> | null {
  const [, at = '', iteration = ''] = /^The loop waits since (\S+), after iteration (\d+)\.$/mu.exec(text) ?? [];
  return text.startsWith(`${UNMARKED_TITLE} ${loopId}\n`) ? { at, iteration: Number(iteration) } : null;
}

/** An id is text from a state file: nothing in it ends the comment or its line. */
function escaped(id: string): string {
  return JSON.stringify(id).replaceAll(/[<>-]/gu, (sign) => `\\u00${sign.codePointAt(0)?.toString(16) ?? ''}`);
}
