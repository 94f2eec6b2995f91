/** The commands that seem to test a project. The code is loaded only if it is needed. */
export async function guessChecksIn(project: string): Promise<readonly string[]> {
  const { guessChecks } = await import('./project-checks.ts');
  return guessChecks(project);
}
