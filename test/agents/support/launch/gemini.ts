import path from 'node:path';
import { fieldInLines, laneUrl, type AgentRun, type Launch, type Launcher, type Place } from './launcher.ts';
import { addNestedHooks, writeJson } from './settings.ts';

export const gemini: Launcher = {
  host: 'gemini',
  seed: ({ home }) => {
    writeJson(path.join(home, '.gemini/settings.json'), {
      // Without it a base URL selects a way to sign in that it refuses without a terminal.
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    });
  },
  headless: (place, run) => launch(place, run, ['-p', run.prompt, '-o', 'stream-json']),
  interactive: (place, run) => launch(place, run, []),
  sessionOf: (stdout) => fieldInLines(stdout, 'session_id'),
  chosenSession: true,
  addHooks: ({ home }, entries) =>
    addNestedHooks(path.join(home, '.gemini/settings.json'), entries, (seconds) => seconds * 1000),
};

function launch(place: Place, run: Omit<AgentRun, 'prompt'>, words: readonly string[]): Launch {
  return {
    args: [
      ...words,
      '--yolo',
      // With a named model it calls no router.
      '-m',
      'gemini-2.5-pro',
      ...(run.resume === undefined ? [] : ['-r', run.resume]),
      ...(run.session === undefined ? [] : ['--session-id', run.session]),
      ...(run.args ?? []),
    ],
    environment: {
      GEMINI_API_KEY: 'fake-key',
      GOOGLE_GEMINI_BASE_URL: laneUrl(place, run),
      // Otherwise it restarts itself and ignores signals.
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  };
}
