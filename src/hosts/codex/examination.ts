import type { ExaminationLook, HostExamination, HostFinding, InstalledLook } from '../examination.ts';
import { hasOurPlugin, hooksForbidden, hooksOff } from '../examination.ts';
import type { Fields } from '../fields.ts';
import { fieldsOf, isTrueIn, nameIn } from '../fields.ts';
import { trustedHash, trustKey } from './trust-hash.ts';

/** The timeout that Codex assumes for a hook without one. */
const TIMEOUT_SECONDS = 600;

type Trust = { readonly key: string; readonly hash: string };

/** Codex silently ignores a hook that the user has not trusted. */
export const examination: HostExamination = {
  findings: (look) => {
    const config = configOf(look);
    const off = isHooksOffIn(config) ? [hooksOff(`${look.userFolder}/config.toml`, 'features.hooks')] : [];
    const trusts = look.installed.flatMap(({ files, trustCommand }): readonly HostFinding[] => {
      const wanted = files.flatMap((file) => trustsIn(file, look));
      if (wanted.length === 0) return [];
      const open = wanted.filter((trust) => !isTrusted(config, trust));
      if (open.length === 0) return [{ about: 'trust', status: 'ok', text: `all ${wanted.length} hooks are trusted` }];
      return [
        {
          about: 'trust',
          status: 'problem',
          text: `${open.length} of ${wanted.length} hooks are not trusted: Codex silently ignores them, and /ralph is a plain prompt to the model`,
          fix: `start codex, type /hooks and trust those of tireless; or: ${trustCommand}`,
        },
      ];
    });
    return [...off, ...forbidden(look), ...trusts];
  },
  pluginRemoval: 'codex plugin remove tireless@tireless',
  hasPlugin: (look) =>
    hasOurPlugin(fieldsOf(configOf(look)['plugins']), (plugin) => fieldsOf(plugin)?.['enabled'] === true),
};

/** What the administrator requires of every Codex on this machine. */
function forbidden({ machineToml }: ExaminationLook): readonly HostFinding[] {
  const { file, fields } = machineToml('codex', 'OpenAI\\Codex', 'requirements.toml');
  return [
    ...(isTrueIn(fields, 'allow_managed_hooks_only') ? ['allow_managed_hooks_only'] : []),
    ...(isHooksOffIn(fields) ? ['features.hooks'] : []),
  ].map((setting) => hooksForbidden(file, setting, 'codex'));
}

function isHooksOffIn(config: Fields): boolean {
  return fieldsOf(config['features'])?.['hooks'] === false;
}

function configOf({ userFolder, readToml }: ExaminationLook): Fields {
  return readToml(`${userFolder}/config.toml`);
}

/** One for each of our hooks, as they are in the file now. */
function trustsIn(file: string, { readJson, isOurCall, sha256 }: InstalledLook): readonly Trust[] {
  const [settings] = file.endsWith('hooks.json') ? readJson([file]) : [];
  return Object.entries(fieldsOf(settings?.fields['hooks']) ?? {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, at) => {
      const matcher = nameIn(fieldsOf(group) ?? {}, 'matcher');
      return listOf(fieldsOf(group)?.['hooks']).flatMap((hook, inner): readonly Trust[] => {
        const fields = fieldsOf(hook) ?? {};
        const command = nameIn(fields, 'command');
        if (command === undefined || !isOurCall(command)) return [];
        const timeout = typeof fields['timeout'] === 'number' ? fields['timeout'] : TIMEOUT_SECONDS;
        const definition = { event, command, timeout, ...(matcher === undefined ? {} : { matcher }) };
        return [{ key: trustKey(file, event, at, inner), hash: trustedHash(definition, sha256) }];
      });
    }),
  );
}

function isTrusted(config: Fields, { key, hash }: Trust): boolean {
  const state = fieldsOf(fieldsOf(config['hooks'])?.['state']);
  return fieldsOf(state?.[key])?.['trusted_hash'] === hash;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
