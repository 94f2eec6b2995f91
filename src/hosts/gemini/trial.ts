import { withSignIn } from '../signed-in.ts';
import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_KEY, USER_SETUP } from '../trial.ts';

export const trial: HostTrial = {
  begin: 'named',
  launch,
  // Even to print its version, Gemini CLI leaves half-written files in its folder.
  versionVariables: (scratch) => ({ GEMINI_CLI_HOME: scratch }),
};

/** Its folder contains keys and sessions, and it ignores system settings below a folder that everyone can write to, such as /tmp. */
function launch({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  return {
    args: ['-p', prompt, '-o', 'stream-json', '-m', 'gemini-2.5-pro', '--session-id', session],
    mirrors: [{ of: `${folder('GEMINI_CLI_HOME', '')}/.gemini`, as: 'home/.gemini', only: USER_SETUP }],
    files: { 'home/.gemini/settings.json': { settings: withSignIn('gemini-api-key') } },
    environment: {
      GEMINI_API_KEY: TRIAL_KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_HOME: `${scratch}/home`,
    },
  };
}
