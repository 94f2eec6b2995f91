import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_KEY, TRIAL_MODEL, USER_SETUP } from '../trial.ts';

export const trial: HostTrial = { begin: 'named', launch, keepsVariables: ['PI_CODING_AGENT_DIR'] };

/** A file in pi's folder lists the models, so a copy of the folder gets a different one. */
function launch({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const models = [{ id: TRIAL_MODEL, cost, contextWindow: 200_000, maxTokens: 8000 }];
  const provider = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: TRIAL_KEY, models };
  return {
    args: ['-p', prompt, '--mode', 'json', '--provider', 'tireless', '--model', TRIAL_MODEL, '--session-id', session],
    files: { 'agent/models.json': JSON.stringify({ providers: { tireless: provider } }) },
    mirrors: [{ of: folder('PI_CODING_AGENT_DIR', '.pi/agent'), as: 'agent', only: [...USER_SETUP, 'trust.json'] }],
    environment: { PI_OFFLINE: '1', PI_CODING_AGENT_DIR: `${scratch}/agent` },
  };
}
