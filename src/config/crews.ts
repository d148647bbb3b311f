import { readFileSync } from 'node:fs';
import type { Crew } from '../core/crew.ts';
import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';
import { CREW_SETTINGS } from './crew-settings.ts';
import { parseCrewsFile } from './crews-file.ts';
import type { Environment } from './environment.ts';

/** The variables for a single crew, by the names of these settings in a crews file. */
const VARIABLES = new Map([
  ['name', 'CREW_NAME'],
  ['base_url', 'CREW_BASE_URL'],
  ['token', 'CREW_TOKEN'],
  ['channel', 'CREW_CHANNEL'],
]);

/** The crews in `CREWS_FILE`, or the single one in the `CREW_…` variables. */
export function readCrews(env: Environment): Result<Crew[], string[]> {
  if (env.CREWS_FILE !== undefined) return readCrewsFile(env.CREWS_FILE, env);
  const settings = [...VARIABLES].map(([key, variable]) => [key, env[variable]]);
  if (settings.every(([, value]) => value === undefined)) {
    return refuse(['Set CREW_NAME, CREW_BASE_URL and CREW_TOKEN for one crew, or CREWS_FILE for several.']);
  }
  const crew = CREW_SETTINGS.safeParse(Object.fromEntries(settings));
  if (crew.success) return ok([crew.data]);
  return refuse(crew.error.issues.map(({ path, message }) => `${VARIABLES.get(String(path[0]))} ${message}.`));
}

function readCrewsFile(path: string, env: Environment): Result<Crew[], string[]> {
  const text = readText(path);
  if (text === null) return refuse(["CREWS_FILE names a file that can't be read."]);
  const crews = parseCrewsFile(text, env);
  const problems = [
    ...unusedVariables(text, env).map(
      (name) => `${name} has no effect together with CREWS_FILE: move the crew into the file.`,
    ),
    ...(crews.ok ? [] : crews.refusal.map((problem) => `CREWS_FILE, ${problem}${problem.endsWith('?') ? '' : '.'}`)),
  ];
  return problems.length > 0 ? refuse(problems) : crews;
}

/** Except those that the file itself refers to. */
function unusedVariables(text: string, env: Environment): string[] {
  return [...VARIABLES.values()].filter((name) => env[name] !== undefined && !text.includes(`\${${name}}`));
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
