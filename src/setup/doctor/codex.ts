import { trustedHash, trustKey } from '../../hosts/codex/trust-hash.ts';
import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf, nameIn } from '../../hosts/fields.ts';
import { readTextIfExists } from '../../system/files.ts';
import { sha256 } from '../../system/ids.ts';
import type { SetupWorld } from '../setup-world.ts';
import { valueIn } from '../settings/json-text.ts';
import { isOurCall } from '../settings/our-calls.ts';
import { userFolder } from '../settings/installation.ts';
import type { InstallRecord } from '../settings/install-record.ts';
import { tomlIn } from '../settings/toml-text.ts';
import type { Finding } from './finding.ts';
import { ok, problem } from './finding.ts';
import { installCommand } from './installed.ts';

const HOST = 'codex';
/** What Codex takes a hook without a timeout for. */
const TIMEOUT_SECONDS = 600;

type Trust = { readonly key: string; readonly hash: string };

/** Codex passes over a hook that nobody trusts, and says nothing. */
export function codexFindings(records: readonly InstallRecord[], world: SetupWorld): readonly Finding[] {
  const config = readCodexConfig(world);
  return records.flatMap((record) => {
    const wanted = record.files.flatMap(({ file }) => trustsIn(file, world.services.home()));
    if (wanted.length === 0) return [];
    const open = wanted.filter((trust) => !isTrusted(config, trust));
    if (open.length === 0) return [ok(HOST, { about: 'trust', text: `all ${wanted.length} hooks are trusted` })];
    const words = installCommand(HOST, [{ ...record, trust: true }]);
    return [
      problem(HOST, {
        about: 'trust',
        text: `${open.length} of ${wanted.length} hooks are not trusted: Codex passes over them without a word`,
        fix: `start codex, type /hooks and trust those of tireless; or: ${words}`,
      }),
    ];
  });
}

/** Throws `SETTINGS_INVALID`. */
export function readCodexConfig(world: SetupWorld): Fields {
  const file = `${userFolder(HOST, world)}/config.toml`;
  return tomlIn({ file, text: readTextIfExists(file) ?? '' });
}

/** One for each hook of ours, as it stands in the file now. */
function trustsIn(file: string, home: string): readonly Trust[] {
  const text = file.endsWith('hooks.json') ? readTextIfExists(file) : undefined;
  const events = text === undefined ? undefined : fieldsOf(fieldsOf(valueIn({ file, text }))?.['hooks']);
  return Object.entries(events ?? {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, at) => {
      const matcher = nameIn(fieldsOf(group) ?? {}, 'matcher');
      return listOf(fieldsOf(group)?.['hooks']).flatMap((hook, inner): readonly Trust[] => {
        const fields = fieldsOf(hook) ?? {};
        const command = nameIn(fields, 'command');
        if (command === undefined || !isOurCall({ line: command }, HOST, home)) return [];
        const timeout = typeof fields['timeout'] === 'number' ? fields['timeout'] : TIMEOUT_SECONDS;
        const definition = { event, command, timeout, ...(matcher === undefined ? {} : { matcher }) };
        return [{ key: trustKey(file, event, at, inner), hash: trustedHash(definition, (given) => sha256(given)) }];
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
