import type { SetupPlace } from './setup.ts';

/** What a plugin of ours is told about this machine. */
type PluginPlace = { readonly node: string; readonly script: string; readonly home: string };

/** Opens a file of ours, and all that is ever compared of it: the sentence after it may change with every version. */
const MARK = '// [tireless] ';
/** What such files began with before they had a mark. Never reworded: only older versions wrote it. */
const BEFORE_MARKS = '// Written by "tireless install"';

/** Did some version of tireless write this module? */
export function isLoaderText(text: string): boolean {
  return text.startsWith(MARK) || text.startsWith(BEFORE_MARKS);
}

/** A module that a host loads from its own folder: it loads ours from where the package is, and says where the rest stands. */
export function loaderText(
  place: Pick<SetupPlace, 'node' | 'script' | 'tirelessHome' | 'plugins'>,
  plugin: string,
  call: (name: string, settings: string) => string,
): string {
  const settings: PluginPlace = { node: place.node, script: place.script, home: place.tirelessHome };
  return [
    `${MARK}Written by "tireless install"; "tireless uninstall" removes it.`,
    `import plugin from ${JSON.stringify(`${place.plugins}/${plugin}`)};`,
    '',
    call('plugin', JSON.stringify(settings)),
    '',
  ].join('\n');
}
