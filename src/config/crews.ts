import { basename } from 'node:path';
import type { PolicyPlaces } from '../core/approval/policy/places.ts';
import type { Crew } from '../core/crew.ts';
import type { Result } from '../core/result.ts';
import { ok, refuse } from '../core/result.ts';
import { CREW_SETTINGS } from './crew-settings.ts';
import { parseCrewsFile } from './crews-file.ts';
import type { Environment } from './environment.ts';
import type { SettingLines } from './policy-lines.ts';
import { readText } from './read-text.ts';

const APPROVERS_VARIABLE = 'CREW_APPROVERS';

/** The variables for a single crew, by the names of these settings in a crews file. */
const VARIABLES = new Map([
  ['name', 'CREW_NAME'],
  ['base_url', 'CREW_BASE_URL'],
  ['token', 'CREW_TOKEN'],
  ['channel', 'CREW_CHANNEL'],
  ['approval', APPROVERS_VARIABLE],
]);

/** The crews, and where what makes up their policies stands. */
export interface Crews {
  crews: Crew[];
  /** By the crew's name. */
  places: ReadonlyMap<string, PolicyPlaces>;
}

/** The crews in `CREWS_FILE`, or the single one in the `CREW_…` variables. */
export function readCrews(env: Environment): Result<Crews, string[]> {
  if (env.CREWS_FILE !== undefined) return readCrewsFile(env.CREWS_FILE, env);
  const settings = [...VARIABLES].map(([key, variable]) => [key, env[variable]]);
  if (settings.every(([, value]) => value === undefined)) {
    return refuse(['Set CREW_NAME, CREW_BASE_URL and CREW_TOKEN for one crew, or CREWS_FILE for several.']);
  }
  const crew = CREW_SETTINGS.safeParse({ ...Object.fromEntries(settings), approval: approvalIn(env) });
  if (crew.success) return ok({ crews: [crew.data], places: new Map([[crew.data.name, placesIn(env)]]) });
  const problems = crew.error.issues.map(({ path, message }) => `${VARIABLES.get(String(path[0]))} ${message}.`);
  return refuse([...new Set(problems)]);
}

function approvalIn({ [APPROVERS_VARIABLE]: approvers }: Environment) {
  return approvers === undefined ? undefined : { approvers: approvers.split(',').map((name) => name.trim()) };
}

function placesIn({ [APPROVERS_VARIABLE]: approvers }: Environment): PolicyPlaces {
  return new Map(approvers === undefined ? [] : [['approval.approvers', { source: APPROVERS_VARIABLE, line: null }]]);
}

function readCrewsFile(path: string, env: Environment): Result<Crews, string[]> {
  const text = readText(path);
  if (text === null) return refuse(["CREWS_FILE names a file that can't be read."]);
  const file = parseCrewsFile(text, env);
  const problems = [
    ...unusedVariables(text, env).map(
      (name) => `${name} has no effect together with CREWS_FILE: move the crew into the file.`,
    ),
    ...(file.ok ? [] : file.refusal.map((problem) => `CREWS_FILE, ${problem}${problem.endsWith('?') ? '' : '.'}`)),
  ];
  if (!file.ok || problems.length > 0) return refuse(problems);
  const { crews, lines } = file.value;
  const places = crews.map(({ name }, i): [string, PolicyPlaces] => [name, placesOf(lines[i], basename(path))]);
  return ok({ crews, places: new Map(places) });
}

function placesOf(lines: SettingLines | undefined, file: string): PolicyPlaces {
  return new Map([...(lines ?? [])].map(([setting, line]) => [setting, { source: file, line }]));
}

/** Except those that the file itself refers to. */
function unusedVariables(text: string, env: Environment): string[] {
  return [...VARIABLES.values()].filter((name) => env[name] !== undefined && !text.includes(`\${${name}}`));
}
