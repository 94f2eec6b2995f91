import { withSignIn } from '../signed-in.ts';
import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_KEY, TRIAL_MODEL, USER_SETUP } from '../trial.ts';

export const trial: HostTrial = { begin: 'named', launch, showsProject: true };

/** Qwen Code updates old settings by itself, including those of a project, so it gets copies of both. */
function launch({ url, prompt, session, scratch, folder, project }: TrialPlace): TrialLaunch {
  return {
    args: [prompt, '-o', 'stream-json', '--session-id', session],
    mirrors: [
      { of: folder('QWEN_HOME', '.qwen'), as: 'qwen', only: USER_SETUP },
      ...(project === null ? [] : [{ of: `${project}/.qwen`, as: 'project/.qwen' }]),
    ],
    files: {
      'qwen/settings.json': { settings: withSignIn('openai') },
      ...(project === null ? {} : { 'project/.qwen/settings.json': { settings: withSignIn('openai') } }),
    },
    environment: {
      OPENAI_API_KEY: TRIAL_KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: TRIAL_MODEL,
      QWEN_HOME: `${scratch}/qwen`,
    },
  };
}
