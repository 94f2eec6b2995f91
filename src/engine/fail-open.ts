import { isFault, messageOf } from '../core/fault.ts';

/** `faults`: bugs are thrown, because the caller wants to see them. `everything`: the caller has promised never to throw. */
type Caught = 'faults' | 'everything';

/** A failure of ours must not keep an agent going: `letStop` makes the reply that lets it stop, with the reason. */
export function failOpen<Answer>(
  caught: Caught,
  answer: () => Answer,
  letStop: (why: string, error: unknown) => Answer,
): Answer {
  try {
    return answer();
  } catch (error) {
    return letStop(whyOf(caught, error), error);
  }
}

export async function failOpenAsync<Answer>(
  caught: Caught,
  answer: () => Promise<Answer>,
  letStop: (why: string, error: unknown) => Answer,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    return letStop(whyOf(caught, error), error);
  }
}

function whyOf(caught: Caught, error: unknown): string {
  if (caught === 'faults' && !isFault(error)) throw error;
  return messageOf(error);
}
