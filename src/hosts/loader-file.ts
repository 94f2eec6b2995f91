import type { SetupPlace } from './setup.ts';

/** The paths of this machine that our plugin needs. */
type PluginPlace = { readonly node: string; readonly script: string; readonly home: string };

/** The start of a file of ours, and the only part that is compared: the sentence after it may change with every version. */
const MARK = '// [tireless] ';
/** The start of such files before they had a mark. Never reworded: only older versions wrote it. */
const BEFORE_MARKS = '// Written by "tireless install"';

/** Did some version of tireless write this module? */
export function isLoaderText(text: string): boolean {
  return text.startsWith(MARK) || text.startsWith(BEFORE_MARKS);
}

/** A command of ours, even in the quotes that `opencode run` puts around an argument. */
const COMMAND = String.raw`/^\s*"?\/(?:cancel-ralph|ralph(?:-[a-z]+)?)(?![\w-])/u`;

/**
 * A module that a host loads from its own folder: it loads ours from the package, and passes the other paths. If ours is missing (tireless
 * was removed, Node was switched), the host starts anyway: `otherwise` replies, with the message `GONE`, and recognises a command by
 * `COMMAND`.
 */
export function loaderText(
  place: Pick<SetupPlace, 'node' | 'script' | 'tirelessHome' | 'plugins'>,
  plugin: `${string}/tireless.js`,
  call: (name: string, settings: string) => string,
  otherwise: readonly string[],
): string {
  const [host = ''] = plugin.split('/');
  const settings: PluginPlace = { node: place.node, script: place.script, home: place.tirelessHome };
  return [
    `${MARK}Written by "tireless install"; "tireless uninstall" removes it.`,
    `const load = () => import(${JSON.stringify(`${place.plugins}/${plugin}`)}).then((all) => all.default, () => null);`,
    `const GONE = ${JSON.stringify(goneText(host))};`,
    `const COMMAND = ${COMMAND};`,
    '',
    ...otherwise,
    '',
    call('plugin', JSON.stringify(settings)),
    '',
  ].join('\n');
}

function goneText(host: string): string {
  return `tireless: its program has moved, so no loop continues, and /ralph does nothing. Run "tireless install ${host}" again, or delete the file tireless.* in the folder of ${host}.`;
}
