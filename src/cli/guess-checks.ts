/** The commands that seem to test a project. The code is loaded only when somebody needs it. */
export async function guessChecksIn(project: string): Promise<readonly string[]> {
  const { guessChecks } = await import('../setup/project-checks.ts');
  return guessChecks(project);
}
