import path from 'node:path';
import { fieldInLines, type Launcher } from './launcher.ts';
import { writeJson } from './settings.ts';

export const pi: Launcher = {
  host: 'pi',
  seed: ({ home, modelUrl }) => {
    const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const models = [{ id: 'fake-model', cost, contextWindow: 200_000, maxTokens: 8000 }];
    const provider = (baseUrl: string): Record<string, unknown> => ({
      baseUrl,
      api: 'openai-completions',
      apiKey: 'fake-key',
      models,
    });
    writeJson(path.join(home, '.pi/agent/models.json'), {
      providers: { fake: provider(`${modelUrl}/v1`), other: provider(`${modelUrl}/lane/other/v1`) },
    });
  },
  headless: (place, run) => ({
    args: [
      '-p',
      run.prompt,
      '--mode',
      'json',
      '--provider',
      run.lane ?? 'fake',
      '--model',
      'fake-model',
      ...(run.resume === undefined ? [] : ['--session', run.resume]),
      ...(run.session === undefined ? [] : ['--session-id', run.session]),
      ...(run.args ?? []),
    ],
    environment: {
      PI_OFFLINE: '1',
      // The Node it needs lies beside it.
      PATH: [path.dirname(place.client), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    },
  }),
  sessionOf: (stdout) => fieldInLines(stdout, 'id'),
  chosenSession: true,
};
