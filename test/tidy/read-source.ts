import { parseAst } from 'rolldown/parseAst';

/** What the rules need to know about one file, read from its syntax tree: strings and comments never count as code. */
export type Source = {
  readonly imports: readonly Import[];
  readonly identifiers: readonly string[];
  readonly emptyCatches: number;
  readonly lines: number;
};

export type Import = { readonly from: string; readonly dynamic: boolean };

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Throws on a file that does not parse: what cannot be read cannot be judged. */
export function readSource(text: string): Source {
  const nodes = [...walk(parseAst(text, { lang: 'ts' }))];
  return {
    imports: nodes.flatMap(importsOf),
    identifiers: nodes.flatMap((node) => (node.type === 'Identifier' ? [String(node['name'])] : [])),
    emptyCatches: nodes.filter(isEmptyCatch).length,
    lines: text.replace(/\n$/, '').split('\n').length,
  };
}

/** Every node of the tree, type annotations included. */
function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* walk(child);
  }
}

/** `import`, `import type`, `export … from`, `import()`, and the `import('…')` of a type. */
function importsOf(node: Node): Import[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'TSImportType':
      return isNode(node['source']) ? [{ from: String(node['source']['value']), dynamic: false }] : [];
    case 'ImportExpression':
      return [{ from: isNode(node['source']) ? String(node['source']['value']) : '?', dynamic: true }];
    default:
      return [];
  }
}

/** `catch {}` and `.catch(() => {})`. A comment inside does not make it less empty. */
function isEmptyCatch(node: Node): boolean {
  if (node.type === 'CatchClause') return isEmptyBlock(node['body']);
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return false;
  const { property } = node['callee'];
  if (!isNode(property) || property['name'] !== 'catch') return false;
  const [handler] = node['arguments'] as readonly unknown[];
  return isNode(handler) && isEmptyBlock(handler['body']);
}

function isEmptyBlock(value: unknown): boolean {
  return isNode(value) && value.type === 'BlockStatement' && (value['body'] as readonly unknown[]).length === 0;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
