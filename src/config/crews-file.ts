import { z } from 'zod';
import type { Crew } from '../core/crew.ts';
import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';
import { closestName } from './closest-name.ts';
import { compareCrews } from './compare-crews.ts';
import { CREW_SETTINGS, SETTING_NAMES } from './crew-settings.ts';
import type { Environment } from './environment.ts';
import type { Mistake } from './mistake.ts';
import { policyLines, type SettingLines } from './policy-lines.ts';
import { substitute } from './substitute.ts';
import { type Remark, readYaml } from './yaml-file.ts';

const CREWS_FILE = z.strictObject(
  { crews: z.array(CREW_SETTINGS, { error: 'is missing: the list of crews' }).min(1, 'is an empty list: add a crew') },
  { error: 'must start with crews: and a list' },
);

interface CrewsFile {
  crews: Crew[];
  /** Where the settings of each crew stand. */
  lines: SettingLines[];
}

/**
 * Parses a crews file, with `${NAME}` in its values replaced from the environment. The refusal names every mistake with its
 * line, in the order of the lines, but never a value, which may be a token.
 */
export function parseCrewsFile(text: string, env: Environment): Result<CrewsFile, string[]> {
  const file = readYaml(text);
  if (!file.ok) return file;
  const { content, remarks, remark } = file.value;
  const { value, known, missing } = substitute(content, env);
  const parsed = CREWS_FILE.safeParse(value);
  const isMissing = (path: PropertyKey[]) => missing.some((each) => isSamePath(each.path, path));
  const wrong = [...(parsed.error?.issues ?? []).flatMap(mistakesIn), ...compareCrews(known)];
  const problems = inOrder([
    ...remarks,
    ...missing.map(({ path, name }) => remark(path, `names the variable ${name}, which isn't set`)),
    ...wrong.filter(({ path }) => !isMissing(path)).map(({ path, message }) => remark(path, message)),
  ]);
  if (!parsed.success || problems.length > 0) return refuse(problems);
  return ok({ crews: parsed.data.crews, lines: policyLines(file.value) });
}

function mistakesIn(issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => {
    const meant = closestName(key, SETTING_NAMES);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    return { path: [...issue.path, key], message: `isn't a setting${hint}` };
  });
}

function isSamePath(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  return one.length === other.length && one.every((part, i) => part === other[i]);
}

/** By line, each sentence once. */
function inOrder(remarks: Remark[]): string[] {
  const sorted = [...remarks].sort((a, b) => a.offset - b.offset);
  return [...new Set(sorted.map(({ sentence }) => sentence))];
}
