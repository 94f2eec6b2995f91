/** The variables that affect runners, as the controller had them at the start. Only these are stored: others may be secret. */
export type KeptEnvironment = Readonly<Record<string, string>>;

type Environment = Readonly<Record<string, string | undefined>>;

export function keepEnvironment(environment: Environment, isJudge: (name: string) => boolean): KeptEnvironment {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && isJudge(name)) kept[name] = value;
  return kept;
}

/** The variables to set, or to remove (`undefined`), to restore them. */
export function restoreEnvironment(
  kept: KeptEnvironment,
  environment: Environment,
  isJudge: (name: string) => boolean,
): Readonly<Record<string, string | undefined>> {
  const added = Object.keys(environment).filter((name) => isJudge(name) && kept[name] === undefined);
  return { ...Object.fromEntries(added.map((name) => [name, undefined])), ...kept };
}
