import type { Loop } from '../core/journal.ts';

/**
 * For the user, when a counter was set back in a turn that the loop asked for. An agent that restores its file from some turns ago must not gain
 * iterations, and nobody can tell it from a user who edits the file meanwhile. `null` = it was not set back.
 */
export function setBackText({ setBack, loaded }: { readonly setBack?: true; readonly loaded?: Loop }): string | null {
  if (setBack !== true || loaded === undefined) return null;
  const { spec, state } = loaded;
  return `the counter in ${spec.dialect?.file ?? ''} was set back while the agent works. That counts as an old copy that the agent wrote, so the loop keeps its count. To begin again: tireless cancel ${state.loop}, then write the file`;
}
