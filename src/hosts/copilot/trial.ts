import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_MODEL, USER_SETUP } from '../trial.ts';

export const trial: HostTrial = { begin: 'named', launch, keepsVariables: ['COPILOT_HOME'] };

function launch({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  return {
    args: ['-p', prompt, '--output-format', 'json', `--session-id=${session}`],
    mirrors: [{ of: folder('COPILOT_HOME', '.copilot'), as: 'copilot', only: USER_SETUP }],
    // Copilot writes both of them, and one contains the trusted folders.
    files: { 'copilot/config.json': { copy: true }, 'copilot/settings.json': { copy: true } },
    environment: {
      COPILOT_HOME: `${scratch}/copilot`,
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      // Not a real word: Copilot masks it wherever it appears in the agent's text.
      COPILOT_PROVIDER_API_KEY: 'sk-zzz-000',
      COPILOT_MODEL: TRIAL_MODEL,
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}
