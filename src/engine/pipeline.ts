import type { AsyncEffects, Effects } from './ports.ts';

/** One request to the world, as data. */
export type EffectCall = {
  readonly [K in keyof Effects]: { readonly effect: K; readonly input: Parameters<Effects[K]> };
}[keyof Effects];

/** Pure code between requests to the world. Written once, run by `runSync` or `runAsync`. */
export type Pipeline<R> = Generator<EffectCall, R, unknown>;

/** Requests one effect: `const clock = yield* perform('readClock')`. */
export function* perform<K extends keyof Effects>(
  effect: K,
  ...input: Parameters<Effects[K]>
): Generator<EffectCall, ReturnType<Effects[K]>, unknown> {
  // The interpreters answer a call with the result of the same effect, which the type system cannot see through `yield`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (yield { effect, input } as EffectCall) as ReturnType<Effects[K]>;
}

export function runSync<R>(pipeline: Pipeline<R>, effects: Effects): R {
  let step = pipeline.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = call(effects, step.value);
    } catch (error) {
      step = pipeline.throw(error);
      continue;
    }
    step = pipeline.next(answer);
  }
  return step.value;
}

export async function runAsync<R>(pipeline: Pipeline<R>, effects: AsyncEffects): Promise<R> {
  let step = pipeline.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await call(effects, step.value);
    } catch (error) {
      step = pipeline.throw(error);
      continue;
    }
    step = pipeline.next(answer);
  }
  return step.value;
}

function call(effects: AsyncEffects, asked: EffectCall): unknown {
  switch (asked.effect) {
    case 'readClock':
      return effects.readClock();
    case 'load':
      return effects.load(...asked.input);
    case 'create':
      return effects.create(...asked.input);
    case 'commit':
      return effects.commit(...asked.input);
    case 'probe':
      return effects.probe(...asked.input);
    case 'newLoop':
      return effects.newLoop();
    case 'bindSession':
      return effects.bindSession(...asked.input);
    case 'bindFirst':
      return effects.bindFirst(...asked.input);
    case 'loopOfSession':
      return effects.loopOfSession(...asked.input);
    case 'readFile':
      return effects.readFile(...asked.input);
    case 'hashText':
      return effects.hashText(...asked.input);
    case 'replaceFile':
      return effects.replaceFile(...asked.input);
    case 'tryWrite':
      return effects.tryWrite(...asked.input);
    case 'countTurn':
      return effects.countTurn(...asked.input);
  }
}
