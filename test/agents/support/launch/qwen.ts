import path from 'node:path';
import { fieldInLines, laneUrl, type AgentRun, type Launch, type Launcher, type Place } from './launcher.ts';
import { addNestedHooks, writeJson } from './settings.ts';

export const qwen: Launcher = {
  host: 'qwen',
  seed: ({ home }) => {
    writeJson(path.join(home, '.qwen/settings.json'), {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      // Its memory also calls the model, with tools, after a turn, which would use up the script.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      // So does its screen, to suggest what the user might type next.
      ui: { enableFollowupSuggestions: false },
    });
  },
  headless: (place, run) => launch(place, run, [run.prompt, '-o', 'stream-json']),
  interactive: (place, run) => launch(place, run, []),
  sessionOf: (stdout) => fieldInLines(stdout, 'session_id'),
  chosenSession: true,
  addHooks: ({ home }, entries) => addNestedHooks(path.join(home, '.qwen/settings.json'), entries),
};

function launch(place: Place, run: Omit<AgentRun, 'prompt'>, words: readonly string[]): Launch {
  return {
    args: [
      ...words,
      '--yolo',
      ...(run.resume === undefined ? [] : ['-r', run.resume]),
      ...(run.session === undefined ? [] : ['--session-id', run.session]),
      ...(run.args ?? []),
    ],
    environment: {
      OPENAI_API_KEY: 'fake-key',
      OPENAI_BASE_URL: `${laneUrl(place, run)}/v1`,
      OPENAI_MODEL: 'fake-model',
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    },
  };
}
