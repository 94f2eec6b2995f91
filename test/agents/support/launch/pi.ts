import path from 'node:path';
import { fieldInLines, type AgentRun, type Launcher, type Place } from './launcher.ts';
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
      ...modelOf(run),
      ...(run.resume === undefined ? [] : ['--session', run.resume]),
      ...(run.session === undefined ? [] : ['--session-id', run.session]),
      ...(run.args ?? []),
    ],
    environment: environmentOf(place),
  }),
  interactive: (place, run) => ({ args: [...modelOf(run), ...(run.args ?? [])], environment: environmentOf(place) }),
  sessionOf: (stdout) => fieldInLines(stdout, 'id'),
  chosenSession: true,
};

function modelOf(run: Pick<AgentRun, 'lane'>): readonly string[] {
  return ['--provider', run.lane ?? 'fake', '--model', 'fake-model'];
}

function environmentOf({ client }: Place): Record<string, string> {
  // The Node it needs is beside it.
  return { PI_OFFLINE: '1', PATH: [path.dirname(client), '/usr/local/bin', '/usr/bin', '/bin'].join(':') };
}
