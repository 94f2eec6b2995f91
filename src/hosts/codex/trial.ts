import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_MODEL } from '../trial.ts';

export const trial: HostTrial = {
  begin: 'typed',
  launch,
  keepsVariables: ['CODEX_HOME'],
  // Even to print its version, Codex creates a folder for its tools.
  versionVariables: (scratch) => ({ CODEX_HOME: scratch }),
};

/** The user's own setup in its folder, which also contains keys, sessions and databases. */
const SETUP = ['plugins', 'prompts', 'rules', 'AGENTS.md'];

/**
 * Runs in a folder that mirrors the user's setup, because Codex always opens its databases in its own folder. The trust of a hook is bound
 * to the path of its file, so the copy of the settings names the copy of the hooks: a hook that the user has not trusted is not trusted
 * there either.
 */
function launch({ url, prompt, scratch, folder }: TrialPlace): TrialLaunch {
  const [own, shown] = [folder('CODEX_HOME', '.codex'), `${scratch}/codex`];
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
    mirrors: [
      { of: own, as: 'codex', only: SETUP },
      // Codex restores its own skills if they are missing.
      { of: `${own}/skills`, as: 'codex/skills', except: ['.system'] },
    ],
    files: {
      'codex/hooks.json': { copy: true },
      'codex/config.toml': { text: (text) => text.replaceAll(`${own}/hooks.json:`, `${shown}/hooks.json:`) },
    },
    environment: { CODEX_HOME: shown },
  };
}
