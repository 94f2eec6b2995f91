import type { Loop } from '../core/journal.ts';

/**
 * For the user, if a counter was lowered in a turn that the loop asked for. An agent that restores an old copy of its file must not gain
 * iterations, and it cannot be told apart from a user who edits the file at that time. `null` = it was not lowered.
 */
export function setBackText({ setBack, loaded }: { readonly setBack?: true; readonly loaded?: Loop }): string | null {
  if (setBack !== true || loaded === undefined) return null;
  const { spec, state } = loaded;
  return `the counter in ${spec.dialect?.file ?? ''} was lowered while the agent was working. That counts as an old copy that the agent wrote, so the loop keeps its count. To begin again: tireless cancel ${state.loop}, then write the file`;
}
