// @ts-check
// The bundler's own command line prints a table of every chunk; someone who types `npm start` came for something else.
import { rolldown } from 'rolldown';
import configs from '../rolldown.config.mjs';

for (const { output, ...input } of configs) {
  const build = await rolldown(input);
  await build.write(Array.isArray(output) ? output[0] : output);
  await build.close();
}
