import * as z from 'zod/mini';
import type { ClaimRule } from '../core/claim.ts';
import { NATIVE_CLAIM } from '../core/claim.ts';
import type { Loop } from '../core/journal.ts';
import type { Criterion } from '../core/loop.ts';
import { jsonText, readJson, setValues } from './json-file.ts';

/** The claim that the prompts for these lists ask for. */
export const PRD_CLAIM: ClaimRule = { ...NATIVE_CLAIM, texts: ['COMPLETE'] };

const Story = z.object({
  id: z.optional(z.union([z.string(), z.number()])),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  acceptanceCriteria: z.optional(z.array(z.string())),
  steps: z.optional(z.array(z.string())),
  priority: z.optional(z.unknown()),
  passes: z.optional(z.boolean()),
});
const Stories = z.array(Story);
const Document = z.object({
  project: z.optional(z.string()),
  description: z.optional(z.string()),
  userStories: z.optional(Stories),
  stories: z.optional(Stories),
});

type Story = z.infer<typeof Story>;

/** A list of stories as a goal: each story is a criterion, ticked by the agent. */
export type PrdReading =
  | { readonly kind: 'invalid'; readonly why: string }
  | {
      readonly kind: 'prd';
      readonly goal: string;
      readonly criteria: readonly Criterion[];
      /** Stories that already pass. */
      readonly criteriaMet: readonly string[];
    };

/** A `prd.json`: `userStories` (or `stories`, or the bare list), each with `passes`. Never throws. */
export function readPrd(text: string): PrdReading {
  const found = parse(text);
  if (found === undefined) return { kind: 'invalid', why: 'it is not a JSON list of stories' };
  const { head, stories } = found;
  if (stories.length === 0) return { kind: 'invalid', why: 'it has no stories' };
  const names = stories.map(nameOf);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) return { kind: 'invalid', why: `two of its stories are called "${twin}"` };
  const order = stories.toSorted((a, b) => rankOf(a) - rankOf(b));
  return {
    kind: 'prd',
    goal: [...head, ...order.map((story) => storyText(story, names[stories.indexOf(story)] ?? ''))].join('\n\n'),
    criteria: order.map((story): Criterion => ({ text: names[stories.indexOf(story)] ?? '', by: 'agent' })),
    criteriaMet: names.filter((_, at) => stories[at]?.passes === true),
  };
}

/** The text with `passes` set to `true` for every story that is met. A story that already passes is never reset. */
export function tickPrd(text: string, criteriaMet: readonly string[]): string {
  const found = parse(text);
  if (found === undefined) return text;
  const changes = found.stories.flatMap((story, at) =>
    story.passes !== true && criteriaMet.includes(nameOf(story, at))
      ? [{ path: [...found.path, at, 'passes'], value: true }]
      : [],
  );
  return setValues(text, changes);
}

/** A loop as a new list. */
export function prdOfLoop({ spec, state }: Loop): string {
  const { goal, criteria } = spec;
  return newPrd({ goal, criteria, criteriaMet: state.criteriaMet, isDone: state.status === 'completed' });
}

/** A new list from a loop's goal and criteria. Without criteria, the goal is its only story. */
export function newPrd(asked: {
  readonly goal: string;
  readonly criteria: readonly Criterion[];
  readonly criteriaMet: readonly string[];
  readonly isDone: boolean;
}): string {
  const { goal, criteria, criteriaMet, isDone } = asked;
  const title = goal.trim().split(/\r?\n/u)[0] ?? '';
  const texts = criteria.length === 0 ? [title] : criteria.map((criterion) => criterion.text);
  const userStories = texts.map((text, at) => {
    const { id, rest } = splitName(text, at);
    return {
      id,
      title: rest,
      description: criteria.length === 0 ? goal.trim() : '',
      acceptanceCriteria: [rest],
      priority: at + 1,
      passes: isDone || criteriaMet.includes(text),
      notes: '',
    };
  });
  return jsonText({ project: '', branchName: '', description: goal.trim(), userStories });
}

type Parsed = {
  readonly head: readonly string[];
  readonly stories: readonly Story[];
  readonly path: readonly string[];
};

function parse(text: string): Parsed | undefined {
  const value = readJson(text);
  const list = Stories.safeParse(value);
  if (list.success) return { head: [], stories: list.data, path: [] };
  const document = Document.safeParse(value);
  if (!document.success) return undefined;
  const { project, description, userStories, stories } = document.data;
  const head = [project, description].flatMap((part) =>
    part === undefined || part.trim() === '' ? [] : [part.trim()],
  );
  if (userStories !== undefined) return { head, stories: userStories, path: ['userStories'] };
  return stories === undefined ? undefined : { head, stories, path: ['stories'] };
}

function nameOf(story: Story, at: number): string {
  const title = oneLine(story.title ?? '') || oneLine(story.description ?? '') || `story ${at + 1}`;
  return story.id === undefined ? title : `${story.id}: ${title}`;
}

/** A criterion is one line of the tracker. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function splitName(text: string, at: number): { readonly id: string; readonly rest: string } {
  const [, id, rest] = /^([\w.-]{1,32}): (.+)$/su.exec(text) ?? [];
  return id === undefined || rest === undefined
    ? { id: `US-${String(at + 1).padStart(3, '0')}`, rest: text }
    : { id, rest };
}

/** Stories without a number come last, in their own order. */
function rankOf({ priority }: Story): number {
  return typeof priority === 'number' ? priority : Number.MAX_SAFE_INTEGER;
}

function storyText(story: Story, name: string): string {
  const lines = [...(story.acceptanceCriteria ?? []), ...(story.steps ?? [])].map((line) => `- ${line}`);
  const description = story.title === undefined ? undefined : story.description;
  return [`## ${name}${story.passes === true ? ' (passes)' : ''}`, description, lines.join('\n')]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}
