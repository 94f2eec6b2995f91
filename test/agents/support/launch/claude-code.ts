import path from 'node:path';
import { fieldInLines, laneUrl, type AgentRun, type Launch, type Launcher, type Place } from './launcher.ts';
import { addNestedHooks, writeJson } from './settings.ts';

const KEY = 'fake-key-of-the-agent-tests';
const KEY_TAIL = 20;

export const claudeCode: Launcher = {
  host: 'claude-code',
  seed: ({ home, project }) => {
    // Without it a terminal first contacts the vendor's own address, then asks for trust, then for the key.
    writeJson(path.join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      hasSeenAutoDefaultNotice: true,
      customApiKeyResponses: { approved: [KEY.slice(-KEY_TAIL)], rejected: [] },
      officialMarketplaceAutoInstallAttempted: true,
      officialMarketplaceAutoInstalled: true,
      projects: { [project]: { hasTrustDialogAccepted: true } },
    });
  },
  headless: (place, run) =>
    launch(place, run, [
      '-p',
      run.prompt,
      '--output-format',
      'stream-json',
      '--verbose',
      '--dangerously-skip-permissions',
    ]),
  interactive: (place, run) => launch(place, run, ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash']),
  sessionOf: (stdout) => fieldInLines(stdout, 'session_id'),
  chosenSession: true,
  addHooks: ({ home }, entries) => addNestedHooks(path.join(home, '.claude/settings.json'), entries),
};

function launch(place: Place, run: Omit<AgentRun, 'prompt'>, words: readonly string[]): Launch {
  return {
    args: [
      ...words,
      ...(run.resume === undefined ? [] : ['--resume', run.resume]),
      ...(run.session === undefined ? [] : ['--session-id', run.session]),
      ...(run.args ?? []),
    ],
    environment: {
      ANTHROPIC_BASE_URL: laneUrl(place, run),
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Without it, root (real or mapped) may not skip permissions.
      IS_SANDBOX: '1',
      CLAUDE_CODE_TMPDIR: place.tmp,
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
  };
}
