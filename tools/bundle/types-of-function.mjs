// @ts-check
/** Declarations for a CommonJS facade that exports one function. @param {string} facade */
export const typesOfFunction = (facade) => ({
  name: 'types-of-function',
  /** @this {{ emitFile: (file: { type: 'asset', fileName: string, source: string }) => void }} */
  generateBundle() {
    const source = [
      `type Module = typeof import('./types/facades/${facade}/cjs.js', { with: { 'resolution-mode': 'import' } });`,
      "declare const hook: Module['default'];",
      'export = hook;',
      '',
    ].join('\n');
    this.emitFile({ type: 'asset', fileName: `${facade}.d.cts`, source });
  },
});
