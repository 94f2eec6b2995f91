import type { HostExamination } from '../examination.ts';

/** A `hooks.json` with events at its top level hides the hooks of the settings beside it. */
export const examination: HostExamination = {
  findings: ({ project, userFolder, readJson }) =>
    readJson([`${project}/.factory/hooks.json`, `${userFolder}/hooks.json`])
      .filter(({ fields }) => Object.keys(fields).some((name) => name !== 'hooks'))
      .map(({ file }) => ({
        about: 'hooks-off',
        status: 'problem',
        text: `${file} exists, so Droid reads no hooks from the settings beside it`,
        fix: `move its content into "hooks" of settings.json beside it, and delete ${file}`,
      })),
};
