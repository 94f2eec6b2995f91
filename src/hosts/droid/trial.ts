import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_KEY, TRIAL_MODEL, USER_SETUP } from '../trial.ts';

export const trial: HostTrial = { begin: 'announced', launch };

/** No variable names Droid's folder, so it gets a home with the same contents, and with our model in the settings that only this run reads. */
function launch({ url, prompt, scratch, folder }: TrialPlace): TrialLaunch {
  const model = {
    model: TRIAL_MODEL,
    displayName: TRIAL_MODEL,
    baseUrl: `${url}/v1`,
    apiKey: TRIAL_KEY,
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 8000,
  };
  return {
    args: ['exec', '-m', `custom:${TRIAL_MODEL}`, '-o', 'stream-json', prompt],
    mirrors: [{ of: folder(null, '.factory'), as: 'home/.factory', only: [...USER_SETUP, 'hooks.json', 'droids'] }],
    files: {
      'home/.factory/settings.json': { settings: (settings) => ({ ...settings, customModels: [model] }) },
    },
    environment: { FACTORY_AIRGAP_ENABLED: '1', HOME: `${scratch}/home` },
  };
}
