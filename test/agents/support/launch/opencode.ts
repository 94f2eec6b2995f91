import { fieldInLines, laneUrl, type AgentRun, type Launcher, type Place } from './launcher.ts';

export const opencode: Launcher = {
  host: 'opencode',
  // Everything is in the environment: the files of the user and of the project belong to the test.
  seed: () => undefined,
  headless: (place, run) => ({
    args: [
      'run',
      '--format',
      'json',
      ...(run.resume === undefined ? [] : ['--session', run.resume]),
      ...(run.args ?? []),
    ],
    // As an argument it would be quoted, and the model would see the quotes.
    stdin: run.prompt,
    environment: environmentOf(place, run),
  }),
  interactive: (place, run) => ({
    args: [...(run.resume === undefined ? [] : ['--session', run.resume]), ...(run.args ?? [])],
    environment: environmentOf(place, run),
  }),
  sessionOf: (stdout) => fieldInLines(stdout, 'sessionID'),
  chosenSession: false,
};

function environmentOf(place: Place, run: Pick<AgentRun, 'lane'>): Record<string, string> {
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config(place, run)),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    // With a plugin it asks npm for its own helpers and waits a minute for an answer: here it gets a 404 at once.
    NPM_CONFIG_REGISTRY: `${place.modelUrl}/npm/`,
  };
}

function config(place: Place, run: Pick<AgentRun, 'lane'>): Record<string, unknown> {
  const models = { 'fake-model': { name: 'Fake', tool_call: true, limit: { context: 100_000, output: 8000 } } };
  const options = { baseURL: `${laneUrl(place, run)}/v1`, apiKey: 'fake-key' };
  return {
    autoupdate: false,
    share: 'disabled',
    provider: { fake: { npm: '@ai-sdk/openai-compatible', name: 'Fake', options, models } },
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
  };
}
