import path from 'node:path';
import { fieldInLines, laneUrl, type AgentRun, type Launch, type Launcher, type Place } from './launcher.ts';
import { addNestedHooks, writeText } from './settings.ts';

export const codex: Launcher = {
  host: 'codex',
  seed: ({ home, project, modelUrl }) => {
    writeText(
      path.join(home, '.codex/config.toml'),
      `model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.fake]
name = "Fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`,
    );
  },
  headless: (place, run) => {
    const words = ['exec', ...(run.resume === undefined ? [] : ['resume']), '--json', '--skip-git-repo-check'];
    const session = run.resume === undefined ? [] : [run.resume];
    return launch(place, run, [...words, ...common(place, run), ...(run.args ?? []), ...session, run.prompt]);
  },
  interactive: (place, run) => {
    const resume = run.resume === undefined ? [] : ['resume', run.resume];
    return launch(place, run, [...resume, '--no-daemon', ...common(place, run), ...(run.args ?? [])]);
  },
  sessionOf: (stdout) => fieldInLines(stdout, 'thread_id'),
  chosenSession: false,
  addHooks: ({ home }, entries) => addNestedHooks(path.join(home, '.codex/hooks.json'), entries),
  // Untrusted hooks are silently ignored.
  hookArgs: ['--dangerously-bypass-hook-trust'],
};

function common(place: Place, run: Pick<AgentRun, 'lane'>): string[] {
  const lane = ['-c', `model_providers.fake.base_url="${laneUrl(place, run)}/v1"`];
  // Offline it would wait five seconds for this when it exits.
  return ['--disable', 'plugin_discovery_prefetch', ...lane];
}

function launch(place: Place, _run: unknown, args: readonly string[]): Launch {
  return { args, environment: { CODEX_HOME: path.join(place.home, '.codex') } };
}
