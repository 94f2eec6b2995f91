import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_MODEL } from '../trial.ts';

export const trial: HostTrial = { begin: 'typed', launch, keepsVariables: ['CODEX_HOME'] };

/** In the user's own folder: the trust of a hook is bound to the path of its file. The sandbox may not write, so it changes no setting. */
function launch({ url, prompt }: TrialPlace): TrialLaunch {
  const provider = `{name="tireless",base_url="${url}/v1",wire_api="responses",requires_openai_auth=false,request_max_retries=0,stream_max_retries=0}`;
  const settings = [
    `model="${TRIAL_MODEL}"`,
    'model_provider="tireless_doctor"',
    `model_providers.tireless_doctor=${provider}`,
    'approval_policy="never"',
    'sandbox_mode="read-only"',
    'analytics.enabled=false',
    'check_for_update_on_startup=false',
    'mcp_servers={}',
  ];
  return {
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--ephemeral',
      '--disable',
      'plugin_discovery_prefetch',
      ...settings.flatMap((setting) => ['-c', setting]),
      prompt,
    ],
    environment: {},
  };
}
