/**
 * For the user, when a counter was set back in a turn that the loop asked for. An agent that restores its file from some turns ago must not gain
 * iterations, and nobody can tell it from a user who edits the file meanwhile.
 */
export function setBackText(loop: string, file: string): string {
  return `the counter in ${file} was set back while the agent works. That counts as an old copy that the agent wrote, so the loop keeps its count. To begin again: tireless cancel ${loop}, then write the file`;
}
