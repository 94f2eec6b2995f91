/** `tireless doctor` with real clients: it starts them itself, and says what is in the way. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { sha256 } from '../../src/system/ids.ts';
import type { AgentWorld } from './support/agent-world.ts';
import { agentWorld, expectSuccess } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn } from './support/host-suite.ts';
import { replaceInHooks } from '../support/stand-in-node.ts';

type Found = { readonly about: string; readonly status: string; readonly text: string; readonly fix?: string };
type Report = { readonly ok: boolean; readonly findings: readonly Found[]; readonly exitCode: number | null };

/** As a user has it: the program is on the PATH, and a key and an address of theirs are in the environment. */
async function doctor({ tirelessWithAgents, host }: AgentWorld): Promise<Report> {
  const { stdout, stderr, exitCode } = await tirelessWithAgents('doctor', host, '--json');
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Omit<Report, 'exitCode'>), exitCode };
}

function install(world: AgentWorld, ...words: readonly string[]): void {
  const { stderr, exitCode } = world.tireless('install', world.host, ...words, '--yes');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}

function found(report: Report, about: string): Found | undefined {
  return report.findings.find((each) => each.about === about && each.status !== 'note');
}

const INSTALL_WORDS: Readonly<Record<string, readonly string[]>> = { codex: ['--trust'] };

for (const { host, absent, title } of hostsToTry([...HOST_IDS])) {
  describe.skipIf(absent !== null)(`tireless doctor with a real ${title}`, () => {
    it('proves that the hook fires, and leaves no trace', async () => {
      const world = await agentWorld(host, () => ({ text: 'hello' }));
      install(world, ...(INSTALL_WORDS[host] ?? []));
      // As a user has it: there are sessions already, and settings that were brought up to date by the client.
      expectSuccess(await world.run({ prompt: 'say hello' }));
      signInElsewhere(world);
      const asked = world.model.requests.length;
      const before = treeOf(world);
      const report = await doctor(world);
      expect(report.findings.filter(({ status }) => status === 'problem')).toEqual([]);
      expect(found(report, 'fires')).toMatchObject({ status: 'ok' });
      expect(report).toMatchObject({ ok: true, exitCode: 0 });
      expect(found(report, 'program')?.text).toMatch(/^\d+\.\d+\.\d+/u);
      expect(loopsIn(world)).toEqual([]);
      expect(world.model.requests).toHaveLength(asked);
      expect(changesSince(before, treeOf(world))).toEqual([]);
    });

    it('leaves nothing behind in a home where the agent never ran', async () => {
      const world = await agentWorld(host, () => ({ text: 'never asked' }));
      install(world, ...(INSTALL_WORDS[host] ?? []));
      const before = treeOf(world);
      expect(found(await doctor(world), 'fires')).toMatchObject({ status: 'ok' });
      expect(changesSince(before, treeOf(world))).toEqual([]);
    });
  });
}

/** Every file and folder below the home of the user and in the project, with what it holds. */
function treeOf({ home, project }: AgentWorld): ReadonlyMap<string, string> {
  const entries = [home, project].flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }));
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [file, entry.isFile() ? sha256(readFileSync(file)) : ''];
    }),
  );
}

function changesSince(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const files = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return files
    .filter((file) => before.get(file) !== after.get(file))
    .map((file) => `${file}: ${after.has(file) ? (before.has(file) ? 'changed' : 'new') : 'gone'}`);
}

/** Most people of Gemini CLI have no key: without a screen and a network that way of signing in leads nowhere. */
function signInElsewhere({ host, home }: AgentWorld): void {
  if (host !== 'gemini') return;
  const file = path.join(home, '.gemini/settings.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"gemini-api-key"', '"oauth-personal"'));
}

/** As if tireless had been installed by a Node that is gone: the record knows the script. */
function noteAsWritten({ tirelessHome }: AgentWorld, file: string, text: string): void {
  const noted = path.join(tirelessHome, 'installed/claude-code-user.json');
  const record = JSON.parse(readFileSync(noted, 'utf8')) as { files: { file: string }[] };
  const files = record.files.map((each) => (each.file === file ? { ...each, written: sha256(text) } : each));
  writeFileSync(noted, JSON.stringify({ ...record, files }));
}

const [claude, codex] = hostsToTry(['claude-code', 'codex']);

describe.skipIf(claude?.absent !== null)(`tireless doctor with a broken setup of ${claude?.title}`, () => {
  it('reports a cap that was lowered, and a Node that is gone: the hook does not fire', async () => {
    const world = await agentWorld('claude-code', () => ({ text: 'never asked' }));
    install(world);
    const file = path.join(world.home, '.claude/settings.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"10000"', '"3"'));
    const script = path.join(world.tirelessHome, 'hooks/claude-code.sh');
    replaceInHooks([script], { [process.execPath]: '/opt/old/node' });
    noteAsWritten(world, script, readFileSync(script, 'utf8'));
    const report = await doctor(world);
    expect(report).toMatchObject({ ok: false, exitCode: 1 });
    expect(found(report, 'cap')).toMatchObject({ status: 'problem' });
    expect(found(report, 'paths')).toMatchObject({
      status: 'problem',
      text: expect.stringContaining('/opt/old/node') as string,
      fix: 'tireless install claude-code --yes',
    });
    expect(found(report, 'fires')).toMatchObject({ status: 'problem' });
    install(world);
    expect(await doctor(world)).toMatchObject({ ok: true, exitCode: 0 });
  });
});

describe.skipIf(claude?.absent !== null)(`tireless doctor with hooks on demand in ${claude?.title}`, () => {
  it('tries them out too, and takes them away again', async () => {
    const world = await agentWorld('claude-code', () => ({ text: 'never asked' }));
    install(world, '--on-demand');
    const notes = (): readonly string[] => readdirSync(path.join(world.tirelessHome, 'installed'));
    const before = notes();
    expect((await doctor(world)).findings.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(notes()).toEqual(before);
  });
});

describe.skipIf(codex?.absent !== null)(`tireless doctor with a broken setup of ${codex?.title}`, () => {
  it('reports hooks that nobody trusted: they are passed over, and the proof shows it', async () => {
    const world = await agentWorld('codex', () => ({ text: 'never asked' }));
    install(world);
    const report = await doctor(world);
    expect(report).toMatchObject({ ok: false, exitCode: 1 });
    expect(found(report, 'trust')).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining('tireless install codex --trust --yes') as string,
    });
    expect(found(report, 'fires')).toMatchObject({ status: 'problem' });
    install(world, '--trust');
    expect(await doctor(world)).toMatchObject({ ok: true, exitCode: 0 });
  });
});
