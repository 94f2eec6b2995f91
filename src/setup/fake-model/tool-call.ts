import { shellWord } from '../../core/shell-word.ts';
import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf, listIn, textIn } from './fields.ts';
import type { ToolDeclaration } from './script.ts';

/** Every client names its tools differently; the order is the order of preference. */
const WRITE_TOOLS = ['write_file', 'write', 'create', 'create_file', 'editor'];
const SHELL_TOOLS = [
  'run_shell_command',
  'bash',
  'execute',
  'exec_command',
  'run_commands',
  'run_terminal_command',
  'shell',
  'local_shell',
];
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'filename'];
const CONTENT_FIELDS = ['content', 'file_text', 'contents', 'text'];
const COMMAND_FIELDS = ['command', 'cmd', 'script'];
const SCHEMA_DEPTH_MAX = 4;

export type ToolCall = { readonly name: string; readonly args: Fields };

/** `undefined` = the client declares no tool for writing. */
export function writeCall(
  tools: readonly ToolDeclaration[],
  file: { readonly path: string; readonly content: string },
): ToolCall | undefined {
  const tool = firstOf(tools, WRITE_TOOLS);
  if (tool === undefined) return shellCall(tools, shellWrite(file));
  const args = { [fieldOf(tool, PATH_FIELDS)]: file.path, [fieldOf(tool, CONTENT_FIELDS)]: file.content };
  return { name: tool.name, args: withRequired(tool.schema, args) };
}

export function shellCall(tools: readonly ToolDeclaration[], command: string): ToolCall | undefined {
  const tool = firstOf(tools, SHELL_TOOLS);
  if (tool === undefined) return undefined;
  const field = fieldOf(tool, COMMAND_FIELDS);
  const isList = textIn(fieldsOf(propertiesOf(tool.schema)[field]), 'type') === 'array';
  return {
    name: tool.name,
    args: withRequired(tool.schema, { [field]: isList ? ['bash', '-c', command] : command }),
  };
}

/** Base64: the content is never a shell word. */
function shellWrite(file: { readonly path: string; readonly content: string }): string {
  const path = shellWord(file.path, 'always');
  const content = Buffer.from(file.content, 'utf8').toString('base64');
  return `mkdir -p "$(dirname ${path})" && printf %s ${content} | base64 -d > ${path}`;
}

function firstOf(tools: readonly ToolDeclaration[], names: readonly string[]): ToolDeclaration | undefined {
  const found = names.map((name) => tools.find((tool) => tool.name.toLowerCase() === name));
  return found.find((tool) => tool !== undefined);
}

function fieldOf(tool: ToolDeclaration, names: readonly string[]): string {
  const properties = propertiesOf(tool.schema);
  return names.find((name) => Object.hasOwn(properties, name)) ?? names[0] ?? '';
}

function propertiesOf(schema: Fields): Fields {
  return fieldsOf(schema['properties']);
}

/** A client refuses a call without the fields that its schema requires; any value of the right kind will do. */
function withRequired(schema: Fields, args: Fields): Fields {
  const missing = listIn(schema, 'required').filter((name) => typeof name === 'string' && !Object.hasOwn(args, name));
  const properties = propertiesOf(schema);
  return { ...Object.fromEntries(missing.map((name) => [name, anyValue(properties[String(name)], 0)])), ...args };
}

function anyValue(schema: unknown, depth: number): unknown {
  const fields = fieldsOf(schema);
  const [first] = listIn(fields, 'enum');
  if (first !== undefined) return first;
  switch (textIn(fields, 'type').toLowerCase()) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    case 'array':
      return [];
    case 'object':
      return depth >= SCHEMA_DEPTH_MAX ? {} : requiredValues(fields, depth + 1);
    default:
      return 'made by the fake model';
  }
}

function requiredValues(schema: Fields, depth: number): Fields {
  const names = listIn(schema, 'required').filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, anyValue(propertiesOf(schema)[name], depth)]));
}
