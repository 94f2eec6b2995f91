import type { ClaimRule } from './claim.ts';
import { BLOCKED_TAG } from './claim.ts';
import type { FinishRule } from './finish-rule.ts';
import { finishRuleOf } from './finish-rule.ts';
import type { Limits, Message, Spec, State } from './loop.ts';
import { NO_ITERATION_TIMEOUT_MS } from './overdue.ts';
import { askedPart, openPart, openText, passingPart } from './prompt-checks.ts';
import { PATH_BYTES_MAX } from './prompt-limits.ts';
import type { PromptMark } from './prompt-mark.ts';
import { promptMark } from './prompt-mark.ts';
import { firstLine } from './prompt-first-line.ts';
import { codeSpan, fenced, fencedTail, listWithin, oneLine } from './quoting.ts';
import { fillTemplate } from './template.ts';
import { troubleWords } from './trouble.ts';

/** For the whole prompt except the goal, the user's messages and the claim texts, which are never cut. The sum of the parts' own maxima. */
export const PROMPT_EXTRA_BYTES_MAX: number = 24 * 1024;

const LAST_MESSAGE_BYTES_MAX = 2000;
const PROTECT_BYTES_MAX = 1000;
const CLAIM_TEXTS_MAX = 8;
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/**
 * The prompt of iteration `counted + 1`, in the words of this version. Comparisons use the delivered prompt (`deliveredPrompt`). Hold-out
 * checks leave no trace in it. Foreign text is in code blocks it cannot leave, and the claim's tag is never alone on a line, so no part of
 * a prompt is a claim.
 */
export function promptOf(spec: Spec, state: State): string {
  // In its own session the agent's last message is in the conversation, and repeating it costs money in each iteration. An agent that must
  // diagnose leaves its context behind, so it gets the message.
  const isSeen = spec.driver === 'session' && state.plan.strategy !== 'diagnose';
  return composed(spec, state, isSeen ? '' : lastMessagePart(state));
}

/** The prompt that the agent has, as delivered. */
export function deliveredPrompt(spec: Spec, state: State): PromptMark {
  return state.prompts?.at(-1) ?? promptMark(promptOf(spec, state));
}

/**
 * The delivered prompt and the ones before it, as far as they are kept. A journal that does not record prompts comes from a version whose
 * prompts had these words.
 */
export function deliveredPrompts(spec: Spec, state: State): readonly PromptMark[] {
  return state.prompts ?? [deliveredPrompt(spec, state)];
}

/** For an agent in its session that may no longer see its own messages: after a compaction, a return, or a move to another session. */
export function promptWithHistory(spec: Spec, state: State): string {
  const { brief: _, ...plan } = state.plan;
  return composed(spec, { ...state, plan }, lastMessagePart(state));
}

function composed(spec: Spec, state: State, lastMessage: string): string {
  if (state.plan.waiting === true) return waitPrompt(state);
  // An agent outside the session has never seen the goal.
  if (state.plan.brief === true && state.counted > 0 && spec.driver === 'session') return briefPrompt(spec, state);
  const first = state.counted === 0;
  if (!first && spec.continuation !== undefined) return documentPrompt(spec, spec.continuation, state);
  // Whoever wrote a document's file gave the session the goal in exactly these words.
  if (spec.dialect !== undefined && spec.driver === 'session') return documentPrompt(spec, '{{GOAL}}', state);
  // The first prompt was not ours: the document's user gave the agent the goal.
  if (first && spec.dialect !== undefined) return documentPrompt(spec, '{{GOAL}}', state);
  const goal = `# Goal\n\n${fenced(spec.goal)}`;
  const before = [opening(spec, state), troublePart(state), lastPart(spec, state), strategyPart(spec, state)];
  const after = [protectPart(spec), trackerPart(spec), limitsPart(spec, state)];
  const parts = first
    ? [...before, goal, userPart(state), askedPart(spec, state), ...after, endPart(spec, state)]
    : [
        ...before,
        userPart(state),
        openPart(spec, state),
        passingPart(spec, state),
        lastMessage,
        ...after,
        goal,
        endPart(spec, state),
      ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** For an agent whose conversation contains the goal and the rules: open findings and the user's messages. */
function briefPrompt(spec: Spec, state: State): string {
  const claim = isClaimNeeded(spec, state) ? `${claimInstruction(spec.claim)} ` : '';
  return [
    `${iterationMark(state.counted + 1)} ${firstLine(spec, state)}`,
    troublePart(state),
    lastPart(spec, state),
    strategyPart(spec, state),
    userPart(state),
    openText(spec, state),
    `${claim}The goal and the rules have not changed.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * The first characters of every prompt after a stop, and the only part that is compared, because hosts hand prompts back (in transcripts,
 * or as if the user had typed them), including prompts of older versions with other sentences. Documents have their own prompts without it.
 */
const ITERATION_MARK = /^\[tireless:(\d+)\]/u;
const WAIT_MARK = '[tireless:wait]';
/** The beginning of prompts before they had marks. Never reworded: only older versions wrote it. */
const MARK_BEFORE_MARKS = /^This is iteration (\d+) of a loop on the goal below\. /u;
const WAIT_BEFORE_MARKS = /^Your work is being checked, and that takes longer than a stop may last\./u;

function iterationMark(iteration: number): string {
  return `[tireless:${iteration}]`;
}

function markedIteration(prompt: string): number | undefined {
  const [, iteration] = ITERATION_MARK.exec(prompt) ?? MARK_BEFORE_MARKS.exec(prompt) ?? [];
  return iteration === undefined ? undefined : Number(iteration);
}

function isWaitPrompt(prompt: string): boolean {
  return prompt.startsWith(WAIT_MARK) || WAIT_BEFORE_MARKS.test(prompt);
}

/** Did tireless write this after a stop? */
export function isStopPrompt(text: string): boolean {
  return markedIteration(text) !== undefined || isWaitPrompt(text);
}

/** The stop prompt whose answer the loop waits for. The host handed it over; nobody typed it. */
export function isCurrentPrompt(prompt: string, { status, counted, plan }: State): boolean {
  if (status !== 'running') return false;
  return plan.waiting === true ? isWaitPrompt(prompt) : markedIteration(prompt) === counted + 1;
}

/**
 * A stop prompt whose iteration has ended. A host that queues prompts delivers it after the user's own message, and even after a cancel.
 */
export function isStalePrompt(prompt: string, { status, counted }: State): boolean {
  const iteration = markedIteration(prompt);
  return iteration !== undefined && (status !== 'running' || iteration !== counted + 1);
}

/** The same for every loop, because no document knows checks that outlast a hook. */
function waitPrompt({ loop, plan, call = 'tireless' }: State): string {
  const names = plan.unmet.flatMap((what) => (what.kind === 'check' && what.holdout !== true ? [what.name] : []));
  const list =
    names.length === 0
      ? ''
      : `\n\n${listWithin(
          names.map((name) => codeSpan(name, PATH_BYTES_MAX)),
          PROTECT_BYTES_MAX,
        )}`;
  return `${WAIT_MARK} Your work is being checked, which takes longer than a stop may last.${list}\n\nChange nothing now: a change restarts the checks. Run this, repeat it while they are still running, and then end your turn:\n\n${fenced(`${call} wait ${loop}`)}\n\nThe work is judged then; this iteration counts only once.`;
}

/** The document's text, unchanged. Ours is added only for what the document does not cover: checks and the user's messages. */
function documentPrompt(spec: Spec, template: string, state: State): string {
  const { iterationsMax } = state.limits;
  const text = fillTemplate(template, {
    ITERATION: String(state.counted + 1),
    MAX: String(iterationsMax),
    CLAIM: spec.claim.texts[0] ?? '',
    GOAL: spec.goal,
    FILE: spec.dialect?.file ?? '',
    UNMET: state.plan.unmet.flatMap((what) => (what.kind === 'criterion' ? [what.text] : [])).join(', '),
  });
  const known = spec.dialect?.checks ?? [];
  const ours = spec.checks.some((check) => !known.includes(check.name)) ? [openPart(spec, state)] : [];
  return [text, userPart(state), ...ours].filter((part) => part !== '').join('\n\n');
}

/** How to claim, worded so that the text is no claim itself: hosts may embed it in their own texts. */
export function claimInstruction(rule: ClaimRule): string {
  const texts = rule.texts.slice(0, CLAIM_TEXTS_MAX).map((text) => oneLine(text, Infinity));
  const oneOf = (wrap: (text: string) => string): string =>
    texts.map((text) => codeSpan(wrap(text), Infinity)).join(' or ');
  switch (rule.form) {
    case 'tag-alone-on-line':
      return `When the whole goal is met, and not before, say so: end your reply with a line that contains only ${oneOf((text) => `<${rule.tag}>${text}</${rule.tag}>`)}, without the backticks and outside any code block, list or quote.`;
    case 'tag-anywhere':
      return `When the whole goal is met, and not before, say so: write ${oneOf((text) => text)} between an opening \`<${rule.tag}>\` and a closing \`</${rule.tag}>\`, with nothing else between them.`;
    case 'text-anywhere':
    case 'text-as-written':
      return `When the whole goal is met, and not before, say so: your reply then contains ${oneOf((text) => text)}. Do not write these words in any other case.`;
  }
}

function opening(spec: Spec, state: State): string {
  // Something else keeps that agent going, and may or may not answer it.
  const watches = spec.observe === true && spec.driver === 'session';
  const alone = watches
    ? 'The loop only watches: when you stop, your work is checked and the result recorded. It does not send you back.'
    : 'Ask no questions: decide yourself, and note what you decided.';
  if (state.counted > 0) {
    const where =
      spec.driver === 'outer'
        ? 'Earlier iterations worked on it; what they did is in the files.'
        : 'You have worked on it already.';
    const refused =
      state.claimed === null ? 'It is not met yet.' : 'You said it is done, but the work is not accepted yet.';
    const mark = iterationMark(state.counted + 1);
    const first = spec.driver === 'session' ? `${firstLine(spec, state)}\n\n` : '';
    return `${mark} ${first}This is iteration ${state.counted + 1} of a loop on the goal below. ${where} ${refused} ${alone}`;
  }
  if (watches) return `You are working on the goal below, alongside a loop. ${alone}`;
  return spec.driver === 'outer'
    ? `You are working on the goal below in a loop. When your turn ends, your work is checked; if something is still open, the next iteration starts with a fresh context and the open points. ${alone}`
    : `You are working on the goal below in a loop. When you stop, your work is checked; if something is still open, you are sent back to finish it. ${alone}`;
}

/** Most turns end well, and then nothing has to be loaded. */
function troublePart({ plan, lastTrouble }: State): string {
  return plan.rerun || lastTrouble !== null ? troubleWords(plan.rerun, lastTrouble) : '';
}

function lastPart(spec: Spec, { plan }: State): string {
  if (!plan.last) return '';
  const where =
    spec.tracker === undefined ? 'at the end of your reply' : `in ${codeSpan(spec.tracker, PATH_BYTES_MAX)}`;
  return `This is the last iteration. Wrap up: leave the work in a good state, and write down ${where} what is missing.`;
}

function strategyPart(spec: Spec, { plan }: State): string {
  switch (plan.strategy) {
    case 'steady':
      return '';
    case 'nudge':
      return 'The last iterations made little measurable progress. Choose the most important open point, and finish it before you start another.';
    case 'diagnose': {
      const where = spec.tracker === undefined ? '' : ` in ${codeSpan(spec.tracker, PATH_BYTES_MAX)}`;
      return `The last attempts did not help. Stop changing code: first find out why the open points stay open, and write down the cause${where}. Then try a different approach.`;
    }
  }
}

/** The prompt of a running iteration is the delivered one: later messages are for the next prompt. */
function userPart(state: State): string {
  const messages = state.phase === 'working' ? state.steeringSent : [...state.steeringSent, ...state.steering];
  if (messages.length === 0) return '';
  return [
    '# From the user',
    'Said after the goal was set. Where it differs from the goal, follow this.',
    ...messages.map((message) => fenced(messageText(message))),
  ].join('\n\n');
}

function messageText(message: Message): string {
  return typeof message === 'string' ? message : `The user rejected (${message.refused}): ${message.reason}`;
}

function lastMessagePart({ lastMessage }: State): string {
  // An agent may print anything, but the next agent needs plain text: no colours, and no NUL, which would end the text for a C program.
  const text = lastMessage.replaceAll(CONTROL, '');
  if (text.trim() === '') return '';
  return `# The end of the last message\n\n${fencedTail(text, LAST_MESSAGE_BYTES_MAX)}`;
}

function protectPart(spec: Spec): string {
  if (spec.protect.length === 0) return '';
  const list = listWithin(
    spec.protect.map((glob) => codeSpan(glob, PATH_BYTES_MAX)),
    PROTECT_BYTES_MAX,
  );
  return `Leave these files as they are; a change to them stops the loop until a person has reviewed it:\n\n${list}`;
}

function trackerPart(spec: Spec): string {
  if (spec.tracker === undefined) return '';
  return `Your notes are in ${codeSpan(spec.tracker, PATH_BYTES_MAX)}. Read them first, and keep them up to date: what is done, what is open, what you learned.`;
}

/** Uses the running time in the plan, never a clock. */
function limitsPart(spec: Spec, state: State): string {
  const { limits, usage, plan } = state;
  const parts = [
    `iteration ${state.counted + 1}${limits.iterationsMax === 'unlimited' ? '' : ` of ${limits.iterationsMax}`}`,
  ];
  if (limits.durationMaxMs !== 'unlimited') {
    parts.push(`${durationText(limits.durationMaxMs - plan.runningMs)} of ${durationText(limits.durationMaxMs)} left`);
  }
  if (spec.timing.iterationTimeoutMs < NO_ITERATION_TIMEOUT_MS)
    parts.push(`${durationText(spec.timing.iterationTimeoutMs)} for one iteration`);
  parts.push(...leftOf(limits.costMaxUsd, usage.costUsd, (usd) => `$${usd.toFixed(2)}`));
  parts.push(...leftOf(limits.tokensMax, usage.tokens, (tokens) => `${Math.floor(tokens)} tokens`));
  return `Limits: ${parts.join('; ')}.`;
}

function leftOf(limit: Limits['costMaxUsd'], used: number | 'unknown', show: (amount: number) => string): string[] {
  if (limit === 'unlimited') return [];
  return [
    used === 'unknown'
      ? `${show(limit)}, amount left unknown`
      : `${show(Math.max(0, limit - used))} of ${show(limit)} left`,
  ];
}

/** Rounded down, so that a limit never looks further away than it is. */
function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return hours === 0 ? `${minutes} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

function endPart(spec: Spec, state: State): string {
  const claim = isClaimNeeded(spec, state)
    ? claimInstruction(spec.claim)
    : 'When your turn ends, the work is checked; you need not announce anything.';
  const approval = spec.approveFinish ? ' A person reviews the result before it is accepted.' : '';
  const blocked = `If you cannot continue without a person, write a line that contains only \`<${BLOCKED_TAG}>what you need</${BLOCKED_TAG}>\`, without the backticks; the loop then waits. Use it only for what you cannot solve or decide yourself.`;
  return `# How to end\n\n${claim}${approval}\n\n${blocked}`;
}

function isClaimNeeded(spec: Spec, state: State): boolean {
  return needsClaim(state.finish ?? finishRuleOf(spec, state.baseline ?? []));
}

function needsClaim(rule: FinishRule): boolean {
  if (rule.kind === 'all' || rule.kind === 'any') return rule.of.some(needsClaim);
  return rule.kind === 'claim';
}
