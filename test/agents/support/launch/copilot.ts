import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fieldInLines, laneUrl, type AgentRun, type Launcher, type Place } from './launcher.ts';
import { writeJson } from './settings.ts';

const HOOK_SECONDS = 30;

export const copilot: Launcher = {
  host: 'copilot',
  seed: ({ home, project }) => {
    // Without it, hooks in files of the repository are ignored; `--trust-folder` cannot be combined with `--resume`.
    writeJson(path.join(home, '.copilot/config.json'), { trusted_folders: [project], trustedFolders: [project] });
  },
  headless: (place, run) => ({
    args: [
      '-p',
      run.prompt,
      '--allow-all-tools',
      '--output-format',
      'json',
      ...(run.resume === undefined ? [] : [`--resume=${run.resume}`]),
      ...(run.session === undefined ? [] : [`--session-id=${run.session}`]),
      ...(run.args ?? []),
    ],
    environment: environmentOf(place, run),
  }),
  interactive: (place, run) => ({
    args: ['--allow-all-tools', ...(run.args ?? [])],
    environment: environmentOf(place, run),
  }),
  sessionOf: (stdout, { home }) =>
    fieldInLines(stdout, 'sessionId') ?? readdirSync(path.join(home, '.copilot/session-state')).at(-1),
  chosenSession: true,
  addHooks: ({ home }, entries) => {
    const hooks = Object.entries(entries).map(([event, { command, timeoutSeconds = HOOK_SECONDS }]) => [
      event,
      [{ type: 'command', bash: command, timeoutSec: timeoutSeconds }],
    ]);
    writeJson(path.join(home, '.copilot/hooks/of-the-test.json'), { version: 1, hooks: Object.fromEntries(hooks) });
  },
};

function environmentOf(place: Place, run: Pick<AgentRun, 'lane'>): Record<string, string> {
  return {
    COPILOT_PROVIDER_BASE_URL: `${laneUrl(place, run)}/v1`,
    // Not a real word: it is masked wherever it appears in the output.
    COPILOT_PROVIDER_API_KEY: 'sk-zzz-000',
    COPILOT_MODEL: 'fake-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    // It unpacks 235 MB there on its first run.
    XDG_CACHE_HOME: place.cache,
  };
}
