import type { HostTrial, TrialLaunch, TrialPlace } from '../trial.ts';
import { TRIAL_KEY } from '../trial.ts';

const SETUP = ['settings.json', 'commands', 'skills', 'agents', 'hooks', 'CLAUDE.md', 'output-styles'];

export const trial: HostTrial = {
  begin: 'named',
  launch,
  keepsVariables: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'],
};

function launch({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  const plugins = `${folder('CLAUDE_CONFIG_DIR', '.claude')}/plugins`;
  const environment = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: TRIAL_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CODE_TMPDIR: scratch,
  };
  const others = { CLAUDE_CODE_USE_BEDROCK: '', CLAUDE_CODE_USE_VERTEX: '', ANTHROPIC_AUTH_TOKEN: '' };
  // The user's settings override the environment, and these arguments override the user's settings.
  const settings = { env: { ...environment, ...others }, apiKeyHelper: `echo ${TRIAL_KEY}` };
  return {
    args: [
      '-p',
      prompt,
      '--output-format',
      'stream-json',
      '--verbose',
      '--session-id',
      session,
      '--no-session-persistence',
      '--strict-mcp-config',
      '--settings',
      JSON.stringify(settings),
    ],
    mirrors: [
      { of: folder('CLAUDE_CONFIG_DIR', '.claude'), as: 'claude', only: SETUP },
      { of: plugins, as: 'claude/plugins', except: ['store'] },
      // The client writes into this folder.
      { of: `${plugins}/store`, as: 'claude/plugins/store', copied: true },
    ],
    environment: { ...environment, CLAUDE_CONFIG_DIR: `${scratch}/claude` },
  };
}
