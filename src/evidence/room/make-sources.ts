/**
 * A Makefile judges: it defines what a test is. But a new source file of the product must be listed there, so this one change belongs to
 * the product: words added directly after a source file of the product, in a line that compiles it, lists it or depends on it. The compiler
 * would read the same code from the file before them.
 */
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[\w.-]+\.mk)$/;
const SOURCE = /^(?:[\w-]+\/)*[\w-][\w.-]*\.(?:c|cc|cpp|cxx)$/;
const COMPILES = /^\t\s*[@-]?(?:cc|gcc|clang|c\+\+|g\+\+|clang\+\+|\$[({](?:CC|CXX)[)}])\s(?!.*[;|&<>`])/;
const LISTS = /^(?:[\w./%$(){}-]+\s*:(?![:=])|[\w-]+\s*[:?+]?=)(?!.*[;|&<>`])/;

export function isMakefile(file: string): boolean {
  return MAKEFILE.test(file);
}

/** `isProduct`: is it a file of the product now? */
export function onlyAddsSources(before: string, now: string, isProduct: (file: string) => boolean): boolean {
  const [old, own] = [before.split('\n'), now.split('\n')];
  if (old.length !== own.length || before === now) return false;
  return own.every((line, at) => line === old[at] || addsSources(old[at] ?? '', line, isProduct));
}

function addsSources(before: string, now: string, isProduct: (file: string) => boolean): boolean {
  if (!COMPILES.test(before) && !LISTS.test(before)) return false;
  const [old, own] = [before.split(/(?<=\s)(?=\S)/), now.split(/(?<=\s)(?=\S)/)].map((words) =>
    words.map((word) => word.trim()),
  );
  if (old === undefined || own === undefined || before.startsWith('\t') !== now.startsWith('\t')) return false;
  let at = 0;
  for (const [index, word] of own.entries()) {
    if (word === old[at]) {
      at += 1;
      continue;
    }
    const front = own[index - 1] ?? '';
    if (![front, word].every((each) => SOURCE.test(each) && isProduct(each))) return false;
  }
  return at === old.length;
}
