import type { SetupPlace } from './setup.ts';

/** What a plugin of ours is told about this machine. */
type PluginPlace = { readonly node: string; readonly script: string; readonly home: string };

/** A module that a host loads from its own folder: it loads ours from where the package is, and says where the rest stands. */
export function loaderText(
  place: SetupPlace,
  plugin: string,
  call: (name: string, settings: string) => string,
): string {
  const settings: PluginPlace = { node: place.node, script: place.script, home: place.tirelessHome };
  return [
    '// Written by "tireless install"; "tireless uninstall" removes it.',
    `import plugin from ${JSON.stringify(`${place.plugins}/${plugin}`)};`,
    '',
    call('plugin', JSON.stringify(settings)),
    '',
  ].join('\n');
}
