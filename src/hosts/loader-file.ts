import type { SetupPlace } from './setup.ts';

/** What our plugin gets to know about this machine. */
type PluginPlace = { readonly node: string; readonly script: string; readonly home: string };

/** Opens a file of ours, and all that is ever compared of it: the sentence after it may change with every version. */
const MARK = '// [tireless] ';
/** What such files began with before they had a mark. Never reworded: only older versions wrote it. */
const BEFORE_MARKS = '// Written by "tireless install"';

/** Did some version of tireless write this module? */
export function isLoaderText(text: string): boolean {
  return text.startsWith(MARK) || text.startsWith(BEFORE_MARKS);
}

/** A command of ours, also in the quotes that `opencode run` puts around an argument. */
const COMMAND = String.raw`/^\s*"?\/(?:cancel-ralph|ralph(?:-[a-z]+)?)(?![\w-])/u`;

/**
 * A module that a host loads from its own folder: it loads ours from where the package is, and names the paths of the rest. If ours is missing (tireless
 * was removed, Node was switched) the host starts all the same: `otherwise` answers, with `GONE` to say and `COMMAND` to know a command by.
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
