import { fieldsOf } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/host.ts';
import { valueIn } from '../settings/json-text.ts';

/** Where a client is tried out. `scratch`: a folder of ours that goes away afterwards. */
type TrialPlace = {
  readonly url: string;
  readonly prompt: string;
  /** A UUID that nobody used before. */
  readonly session: string;
  readonly scratch: string;
  /** The folder of the host below the user's home, as the user has it. */
  readonly folder: (variable: string | null, name: string) => string;
  /** The project it is tried out in; `null` = an empty one, below the scratch folder. */
  readonly project: string | null;
};

export type TrialLaunch = {
  readonly args: readonly string[];
  /** Added to the plain one. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Written below the scratch folder first; made of what the mirrored file holds, where there is one. */
  readonly files?: Readonly<Record<string, string | ((text: string) => string)>>;
  /**
   * Folders below the scratch folder that show what another one holds, but for the files above: what the client writes, sessions above all,
   * goes away with them. `only`: of a folder that holds keys and sessions too, just what the user set up.
   */
  readonly mirrors?: readonly TrialMirror[];
};

type TrialMirror = { readonly of: string; readonly as: string; readonly only?: readonly string[] };

/**
 * How a host is started once, with the settings that the user has, against a model on this machine. The model's address and a key that is
 * none are all that differs. The loop begins before it is started where its session can be `named`, with `/ralph` where that is `typed`, and
 * else when the session is `announced` in its output.
 */
type Trial = {
  readonly begin: 'named' | 'typed' | 'announced';
  readonly launch: (place: TrialPlace) => TrialLaunch;
  /** What a project has set up is shown in the empty one: it would be written to. */
  readonly showsProject?: true;
};

type Fields = Readonly<Record<string, unknown>>;

const KEY = 'no-key-tireless-doctor';
const MODEL = 'fake-model';

/** What people set up in the folder of a host. Whatever else stands there are keys, sessions and caches. */
const SETUP = [
  'settings.json',
  'commands',
  'extensions',
  'skills',
  'agents',
  'hooks',
  'plugins',
  'trustedFolders.json',
];
const CLAUDE_SETUP = ['settings.json', 'commands', 'skills', 'agents', 'hooks', 'CLAUDE.md', 'output-styles'];

export const TRIALS: Readonly<Record<HostId, Trial>> = {
  'claude-code': { begin: 'named', launch: claudeCode },
  codex: { begin: 'typed', launch: codex },
  gemini: { begin: 'named', launch: gemini },
  qwen: { begin: 'named', launch: qwen, showsProject: true },
  copilot: { begin: 'named', launch: copilot },
  opencode: { begin: 'typed', launch: opencode, showsProject: true },
  pi: { begin: 'named', launch: pi },
  droid: { begin: 'announced', launch: droid },
};

function claudeCode({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  const environment = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CLAUDE_CODE_TMPDIR: scratch,
  };
  const others = { CLAUDE_CODE_USE_BEDROCK: '', CLAUDE_CODE_USE_VERTEX: '', ANTHROPIC_AUTH_TOKEN: '' };
  // What stands in the user's settings goes before the environment, and these words go before the user's settings.
  const settings = { env: { ...environment, ...others }, apiKeyHelper: `echo ${KEY}` };
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
      { of: folder('CLAUDE_CONFIG_DIR', '.claude'), as: 'claude', only: CLAUDE_SETUP },
      { of: `${folder('CLAUDE_CONFIG_DIR', '.claude')}/plugins`, as: 'claude/plugins' },
    ],
    environment: { ...environment, CLAUDE_CONFIG_DIR: `${scratch}/claude` },
  };
}

/** In the user's own folder: the trust of a hook is bound to the path of its file. The sandbox may not write, so it changes no setting. */
function codex({ url, prompt }: TrialPlace): TrialLaunch {
  const provider = `{name="tireless",base_url="${url}/v1",wire_api="responses",requires_openai_auth=false,request_max_retries=0,stream_max_retries=0}`;
  const settings = [
    `model="${MODEL}"`,
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

/** Keys and sessions stand in its folder, and a file of system settings is passed over below a folder that all may write to, as /tmp is. */
function gemini({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  return {
    args: ['-p', prompt, '-o', 'stream-json', '-m', 'gemini-2.5-pro', '--session-id', session],
    mirrors: [{ of: `${folder('GEMINI_CLI_HOME', '')}/.gemini`, as: 'home/.gemini', only: SETUP }],
    files: { 'home/.gemini/settings.json': signedIn('gemini-api-key') },
    environment: {
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_HOME: `${scratch}/home`,
    },
  };
}

/** It brings old settings up to date by itself, also those of a project: it gets copies of both. */
function qwen({ url, prompt, session, scratch, folder, project }: TrialPlace): TrialLaunch {
  return {
    args: [prompt, '-o', 'stream-json', '--session-id', session],
    mirrors: [
      { of: folder('QWEN_HOME', '.qwen'), as: 'qwen', only: SETUP },
      ...(project === null ? [] : [{ of: `${project}/.qwen`, as: 'project/.qwen' }]),
    ],
    files: {
      'qwen/settings.json': signedIn('openai'),
      ...(project === null ? {} : { 'project/.qwen/settings.json': signedIn('openai') }),
    },
    environment: {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: MODEL,
      QWEN_HOME: `${scratch}/qwen`,
    },
  };
}

/** The same settings with another way to the model, and without what would keep it busy. */
function signedIn(selectedType: string): (text: string) => string {
  return (text) => {
    const settings = settingsIn(text);
    const part = (name: string): Fields => fieldsOf(settings[name]) ?? {};
    return JSON.stringify({
      ...settings,
      security: { ...part('security'), auth: { selectedType } },
      general: { ...part('general'), enableAutoUpdate: false },
      privacy: { ...part('privacy'), usageStatisticsEnabled: false },
      memory: { ...part('memory'), enableManagedAutoMemory: false, enableManagedAutoDream: false },
    });
  };
}

function copilot({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  return {
    args: ['-p', prompt, '--output-format', 'json', `--session-id=${session}`],
    mirrors: [{ of: folder('COPILOT_HOME', '.copilot'), as: 'copilot', only: SETUP }],
    // It writes both of them, and trust in folders stands in one.
    files: { 'copilot/config.json': (text) => text, 'copilot/settings.json': (text) => text },
    environment: {
      COPILOT_HOME: `${scratch}/copilot`,
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      // No word: it is crossed out wherever it appears in what the agent says.
      COPILOT_PROVIDER_API_KEY: 'sk-zzz-000',
      COPILOT_MODEL: MODEL,
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}

/** Into the folders it reads its plugins from it puts files of its own. */
function opencode({ url, prompt, scratch, folder, project }: TrialPlace): TrialLaunch {
  const own = folder('OPENCODE_CONFIG_DIR', '');
  const models = { [MODEL]: { name: 'Fake', tool_call: true, limit: { context: 100_000, output: 8000 } } };
  const options = { baseURL: `${url}/v1`, apiKey: KEY };
  const config = {
    autoupdate: false,
    share: 'disabled',
    provider: { tireless: { npm: '@ai-sdk/openai-compatible', name: 'Fake', options, models } },
    model: `tireless/${MODEL}`,
    small_model: `tireless/${MODEL}`,
  };
  return {
    args: ['run', '--format', 'json', '--command', 'ralph'],
    // As an argument it would be put into quotes.
    stdin: prompt.replace(/^\/ralph /u, ''),
    mirrors: [
      { of: `${folder('XDG_CONFIG_HOME', '.config')}/opencode`, as: 'config/opencode' },
      ...(own === folder(null, '') ? [] : [{ of: own, as: 'own' }]),
      ...(project === null ? [] : [{ of: `${project}/.opencode`, as: 'project/.opencode' }]),
    ],
    environment: {
      XDG_CONFIG_HOME: `${scratch}/config`,
      XDG_DATA_HOME: `${scratch}/data`,
      XDG_STATE_HOME: `${scratch}/state`,
      ...(own === folder(null, '') ? {} : { OPENCODE_CONFIG_DIR: `${scratch}/own` }),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      // With a plugin it asks npm for its own helpers, and waits a minute for an answer: here it is told at once that there are none.
      NPM_CONFIG_REGISTRY: `${url}/npm/`,
    },
  };
}

/** Models stand in a file of its folder: a copy of the folder has another one. */
function pi({ url, prompt, session, scratch, folder }: TrialPlace): TrialLaunch {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const models = [{ id: MODEL, cost, contextWindow: 200_000, maxTokens: 8000 }];
  const provider = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: KEY, models };
  return {
    args: ['-p', prompt, '--mode', 'json', '--provider', 'tireless', '--model', MODEL, '--session-id', session],
    files: { 'agent/models.json': JSON.stringify({ providers: { tireless: provider } }) },
    mirrors: [{ of: folder('PI_CODING_AGENT_DIR', '.pi/agent'), as: 'agent', only: [...SETUP, 'trust.json'] }],
    environment: { PI_OFFLINE: '1', PI_CODING_AGENT_DIR: `${scratch}/agent` },
  };
}

/** No variable names its folder: a home that shows the same, with a model of ours in the settings that only this run reads. */
function droid({ url, prompt, scratch, folder }: TrialPlace): TrialLaunch {
  const model = {
    model: MODEL,
    displayName: MODEL,
    baseUrl: `${url}/v1`,
    apiKey: KEY,
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 8000,
  };
  return {
    args: ['exec', '-m', `custom:${MODEL}`, '-o', 'stream-json', prompt],
    mirrors: [{ of: folder(null, '.factory'), as: 'home/.factory', only: [...SETUP, 'hooks.json', 'droids'] }],
    files: {
      'home/.factory/settings.json': (text) => JSON.stringify({ ...settingsIn(text), customModels: [model] }),
    },
    environment: { FACTORY_AIRGAP_ENABLED: '1', HOME: `${scratch}/home` },
  };
}

function settingsIn(text: string): Fields {
  return fieldsOf(valueIn({ file: 'settings.json', text })) ?? {};
}
