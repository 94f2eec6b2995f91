import path from 'node:path';
import type { AgentRun, Launch, Launcher, Place } from './launcher.ts';
import { addNestedHooks, writeJson } from './settings.ts';

export const droid: Launcher = {
  host: 'droid',
  seed: ({ home, modelUrl }) => {
    const model = (name: string, baseUrl: string): Record<string, unknown> => ({
      model: name,
      displayName: name,
      baseUrl,
      apiKey: 'fake-key',
      provider: 'generic-chat-completion-api',
      maxOutputTokens: 8000,
    });
    writeJson(path.join(home, '.factory/settings.json'), {
      customModels: [model('fake-model', `${modelUrl}/v1`), model('fake-other', `${modelUrl}/lane/other/v1`)],
      sessionDefaultSettings: { model: 'custom:fake-model-0' },
    });
  },
  headless: (place, run) => (run.typed === true ? conversation(place, run) : oneShot(run)),
  sessionOf: (stdout) => /"session_?[iI]d":"([^"]+)"/u.exec(stdout)?.[1],
  chosenSession: false,
  interactive: (_place, run) => ({ args: run.args ?? [], environment: { FACTORY_AIRGAP_ENABLED: '1' } }),
  addHooks: ({ home }, entries) => addNestedHooks(path.join(home, '.factory/settings.json'), entries),
};

function oneShot(run: AgentRun): Launch {
  return {
    args: [
      'exec',
      '-m',
      modelOf(run),
      '--skip-permissions-unsafe',
      '-o',
      'stream-json',
      // Offline, `-s ID` exits with 1 and prints nothing. A fork has the whole conversation, under a new id.
      ...(run.resume === undefined ? [] : ['--fork', run.resume]),
      ...(run.args ?? []),
      run.prompt,
    ],
    environment: { FACTORY_AIRGAP_ENABLED: '1' },
  };
}

/** The protocol of its screen: only this way a prompt reaches the hooks. */
function conversation({ project }: Place, run: AgentRun): Launch {
  const request = (id: string, method: string, params: object): { say: string } => ({
    say: `${JSON.stringify({ jsonrpc: '2.0', factoryApiVersion: '1.0.0', type: 'request', id, method, params })}\n`,
  });
  let isAsked = false;
  return {
    args: ['exec', '--input-format', 'stream-jsonrpc', '-o', 'stream-jsonrpc', ...(run.args ?? [])],
    environment: { FACTORY_AIRGAP_ENABLED: '1' },
    talk: (line) => {
      if (line === null) {
        const session = {
          machineId: 'tests',
          cwd: run.cwd ?? project,
          modelId: modelOf(run),
          skipPermissionsUnsafe: true,
        };
        return request('session', 'droid.initialize_session', session);
      }
      if (!isAsked && line.includes('"type":"response"') && line.includes('"id":"session"')) {
        isAsked = true;
        return request('prompt', 'droid.add_user_message', { text: run.prompt });
      }
      return isAsked && line.includes('"newState":"idle"') ? 'end' : null;
    },
  };
}

function modelOf(run: Pick<AgentRun, 'lane'>): string {
  return run.lane === undefined ? 'custom:fake-model' : 'custom:fake-other';
}
