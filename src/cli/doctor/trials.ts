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
};

export type TrialLaunch = {
  readonly args: readonly string[];
  /** Added to the plain one. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Written below the scratch folder first; made of what the mirrored file holds, where there is one. */
  readonly files?: Readonly<Record<string, string | ((text: string) => string)>>;
  /** A folder below the scratch folder that shows what another one holds, but for the files above. */
  readonly mirror?: { readonly of: string; readonly as: string };
};

/**
 * How a host is started once, with the settings that the user has, against a model on this machine. The model's address and a key that is
 * none are all that differs. The loop begins before it is started where its session can be `named`, with `/ralph` where that is `typed`, and
 * else when the session is `told` in its output.
 */
type Trial = { readonly begin: 'named' | 'typed' | 'told'; readonly launch: (place: TrialPlace) => TrialLaunch };

const KEY = 'no-key-tireless-doctor';
const MODEL = 'fake-model';

export const TRIALS: Readonly<Record<HostId, Trial>> = {
  'claude-code': { begin: 'named', launch: claudeCode },
  codex: { begin: 'typed', launch: codex },
  gemini: { begin: 'named', launch: gemini },
  qwen: { begin: 'named', launch: qwen },
  copilot: { begin: 'named', launch: copilot },
  opencode: { begin: 'typed', launch: opencode },
  pi: { begin: 'named', launch: pi },
  droid: { begin: 'told', launch: droid },
};

function claudeCode({ url, prompt, session, scratch }: TrialPlace): TrialLaunch {
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
    environment,
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

/** Settings of the system go before those of the user, and theirs is a file that can be named. */
function gemini({ url, prompt, session, scratch }: TrialPlace): TrialLaunch {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  };
  return {
    args: ['-p', prompt, '-o', 'stream-json', '-m', 'gemini-2.5-pro', '--session-id', session],
    files: { 'gemini-system.json': JSON.stringify(settings) },
    environment: {
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${scratch}/gemini-system.json`,
    },
  };
}

function qwen({ url, prompt, session, scratch }: TrialPlace): TrialLaunch {
  const settings = {
    security: { auth: { selectedType: 'openai' } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  };
  return {
    args: [prompt, '-o', 'stream-json', '--session-id', session],
    files: { 'qwen-system.json': JSON.stringify(settings) },
    environment: {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: MODEL,
      QWEN_CODE_SYSTEM_SETTINGS_PATH: `${scratch}/qwen-system.json`,
    },
  };
}

function copilot({ url, prompt, session }: TrialPlace): TrialLaunch {
  return {
    args: ['-p', prompt, '--output-format', 'json', `--session-id=${session}`],
    environment: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      // No word: it is crossed out wherever it appears in what the agent says.
      COPILOT_PROVIDER_API_KEY: 'sk-zzz-000',
      COPILOT_MODEL: MODEL,
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}

function opencode({ url, prompt }: TrialPlace): TrialLaunch {
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
    environment: {
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
    mirror: { of: folder('PI_CODING_AGENT_DIR', '.pi/agent'), as: 'agent' },
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
    mirror: { of: folder(null, '.factory'), as: 'home/.factory' },
    files: {
      'home/.factory/settings.json': (text) => JSON.stringify({ ...settingsIn(text), customModels: [model] }),
    },
    environment: { FACTORY_AIRGAP_ENABLED: '1', HOME: `${scratch}/home` },
  };
}

function settingsIn(text: string): object {
  return fieldsOf(valueIn({ file: 'settings.json', text })) ?? {};
}
