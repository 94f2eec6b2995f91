// @ts-check
/**
 * Lists at the end what was skipped, and why: the usual reporter only counts skipped tests, and a missing client must not look like one
 * that passed. The reason is in the title of a test or of the group around it.
 *
 * @implements {Pick<import('vitest/node').Reporter, 'onTestRunEnd'>}
 */
export default class SkipReport {
  /** @param {ReadonlyArray<import('vitest/node').TestModule>} modules */
  onTestRunEnd(modules) {
    /** @type {Map<string, number>} */
    const skipped = new Map();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        // A skipped group is listed once, for all its tests.
        const [, about] = /^(.*?\(SKIPPED: .*?\))(?: > |$)/u.exec(test.fullName) ?? [];
        if (about !== undefined) skipped.set(about, (skipped.get(about) ?? 0) + 1);
      }
    for (const [about, count] of skipped) console.log(`NOT SHOWN (${count}): ${about}`);
  }
}
