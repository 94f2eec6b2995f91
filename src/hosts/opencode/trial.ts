import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_KEY, TRIAL_MODEL } from '../trial.ts';

export const trial: HostTrial = {
  begin: 'typed',
  launch,
  showsProject: true,
  keepsVariables: ['OPENCODE_CONFIG_DIR'],
  versionVariables: ownFolders,
};

/** OpenCode creates these for every command. */
function ownFolders(scratch: string): Readonly<Record<string, string>> {
  return {
    XDG_DATA_HOME: `${scratch}/data`,
    XDG_STATE_HOME: `${scratch}/state`,
    XDG_CACHE_HOME: `${scratch}/cache`,
  };
}

/** OpenCode writes its own files into the folders that it loads plugins from. */
function launch({ url, prompt, scratch, folder, project }: TrialPlace): TrialLaunch {
  const own = folder('OPENCODE_CONFIG_DIR', '');
  const models = { [TRIAL_MODEL]: { name: 'Fake', tool_call: true, limit: { context: 100_000, output: 8000 } } };
  const options = { baseURL: `${url}/v1`, apiKey: TRIAL_KEY };
  const config = {
    autoupdate: false,
    share: 'disabled',
    provider: { tireless: { npm: '@ai-sdk/openai-compatible', name: 'Fake', options, models } },
    model: `tireless/${TRIAL_MODEL}`,
    small_model: `tireless/${TRIAL_MODEL}`,
  };
  return {
    args: ['run', '--format', 'json', '--command', 'ralph'],
    // As an argument it would be quoted.
    stdin: prompt.replace(/^\/ralph /u, ''),
    mirrors: [
      { of: `${folder('XDG_CONFIG_HOME', '.config')}/opencode`, as: 'config/opencode' },
      ...(own === folder(null, '') ? [] : [{ of: own, as: 'own' }]),
      ...(project === null ? [] : [{ of: `${project}/.opencode`, as: 'project/.opencode' }]),
    ],
    environment: {
      XDG_CONFIG_HOME: `${scratch}/config`,
      ...ownFolders(scratch),
      ...(own === folder(null, '') ? {} : { OPENCODE_CONFIG_DIR: `${scratch}/own` }),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      // With a plugin, OpenCode asks npm for its own helpers and waits a minute for an answer: this address answers at once that there are
      // none.
      NPM_CONFIG_REGISTRY: `${url}/npm/`,
    },
  };
}
