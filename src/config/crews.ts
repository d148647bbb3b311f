import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Crew } from '../core/policy/crew.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import { compareApproval, compareCrews, LIST, MAP, missingOfDeployment, within } from './compare-crews.ts';
import { CREW_SETTINGS, SETTING_NAMES } from './crew-settings.ts';
import { dependencyMistakes } from './dependency-mistakes.ts';
import type { Environment } from './environment.ts';
import { inFile, inOrder, mistakesIn } from './file-mistakes.ts';
import { nameOfFile, readText, readYaml, substitute, type YamlFile } from './yaml-file.ts';

// Reads the crews file.

/** The variables for a single crew, by the paths of these settings in a crews file. */
const VARIABLES = new Map([
  ['name', 'CREW_NAME'],
  ['base_url', 'CREW_BASE_URL'],
  ['token', 'CREW_TOKEN'],
  ['channel', 'CREW_CHANNEL'],
  ['approval.approvers', 'CREW_APPROVERS'],
  ['approval.quorum', 'CREW_QUORUM'],
]);

/** The position of a setting: a line of a file, or a variable, which has no line. */
interface SettingPlace {
  source: string;
  line: number | null;
}

/** The positions of a crew's settings, by their path such as `approval.tasks.0.quorum`. */
export type PolicyPlaces = ReadonlyMap<string, SettingPlace>;

/** The crews, and the positions of their settings. */
export interface Crews {
  crews: Crew[];
  /** Positions by the crew's name. */
  places: ReadonlyMap<string, PolicyPlaces>;
}

/** Reads the crews in `CREWS_FILE`, or the single one in the `CREW_…` variables. */
export function readCrews(env: Environment): Result<Crews, string[]> {
  if (env.CREWS_FILE !== undefined) return readCrewsFile(env.CREWS_FILE, env);
  if ([...VARIABLES.values()].every((variable) => env[variable] === undefined))
    return refuse(['Set CREW_NAME, CREW_BASE_URL and CREW_TOKEN for one crew, or CREWS_FILE for several.']);
  const settings = settingsIn(env);
  const crew = CREW_SETTINGS.safeParse(settings);
  const mistakes = [
    ...missingOfDeployment(settings),
    ...(crew.error?.issues ?? []),
    ...within(['approval'], [...compareApproval(settings.approval), ...dependencyMistakes(settings)]),
  ];
  if (crew.success && mistakes.length === 0)
    return ok({ crews: [crew.data], places: new Map([[crew.data.name, placesIn(env)]]) });
  const problems = mistakes.map(({ path, message }) => `${variableOf(path)} ${message}.`);
  return refuse([...new Set(problems)]);
}

/** Returns the one crew in the form of a crews file. */
function settingsIn(env: Environment) {
  const { CREW_NAME: name, CREW_BASE_URL: baseUrl, CREW_TOKEN: token, CREW_CHANNEL: channel } = env;
  const { CREW_APPROVERS: approvers, CREW_QUORUM: quorum } = env;
  const approval = {
    ...(approvers !== undefined && { approvers: approvers.split(',').map((each) => each.trim()) }),
    ...(quorum !== undefined && { quorum: /^\d{1,9}$/.test(quorum) ? Number(quorum) : quorum }),
  };
  const deployment = { ...(baseUrl !== undefined && { base_url: baseUrl }), ...(token !== undefined && { token }) };
  return { name, ...deployment, channel, approval };
}

function variableOf([setting, ...rest]: readonly PropertyKey[]): string | undefined {
  return VARIABLES.get([setting, ...rest.slice(0, 1)].join('.'));
}

function placesIn(env: Environment): PolicyPlaces {
  const set = [...VARIABLES].filter(([path, variable]) => path.startsWith('approval.') && env[variable] !== undefined);
  return new Map(set.map(([path, variable]) => [path, { source: variable, line: null }]));
}

function readCrewsFile(path: string, env: Environment): Result<Crews, string[]> {
  const text = readText(path);
  const fileName = nameOfFile(path);
  if (!text.ok) return refuse([`${fileName} can't be read: ${text.refusal}.`]);
  const file = parseCrewsFile(text.value, env);
  const problems = [
    ...unusedVariables(text.value, env).map(
      (name) => `${name} has no effect together with CREWS_FILE: move the crew into the file.`,
    ),
    ...(file.ok ? [] : file.refusal.map((mistake) => inFile(fileName, mistake))),
  ];
  if (!file.ok || problems.length > 0) return refuse(problems);
  return ok(withPlaces(file.value, path));
}

export function withPlaces({ crews, lines }: CrewsFile, path: string): Crews {
  const places = crews.map(({ name }, i): [string, PolicyPlaces] => [name, placesOf(lines[i], basename(path))]);
  return { crews, places: new Map(places) };
}

function placesOf(lines: SettingLines | undefined, file: string): PolicyPlaces {
  return new Map([...(lines ?? [])].map(([setting, line]) => [setting, { source: file, line }]));
}

/** Returns `CREW_…` variables that a crews file doesn't refer to. */
function unusedVariables(text: string, env: Environment): string[] {
  return [...VARIABLES.values()].filter((name) => env[name] !== undefined && !text.includes(`\${${name}}`));
}

const CREWS_FILE = z.strictObject(
  { crews: z.array(CREW_SETTINGS, { error: 'is missing: the list of crews' }).min(1, 'is an empty list: add a crew') },
  { error: 'must start with crews: and a list' },
);

interface CrewsFile {
  crews: Crew[];
  /** The lines of the settings of each crew. */
  lines: SettingLines[];
}

/**
 * Parses a crews file, with `${NAME}` in its values replaced from the environment. The refusal names every mistake with its
 * line, in the order of the lines, but never a value, which may be a token.
 * @param unset what stands for the value at a path that names a variable that isn't set; null if that is a mistake
 */
export function parseCrewsFile(
  text: string,
  env: Environment,
  unset: (path: readonly PropertyKey[]) => string | null = () => null,
): Result<CrewsFile, string[]> {
  const file = readYaml(text);
  if (!file.ok) return file;
  const { content, remarks, remark } = file.value;
  const { value, known, missing } = substitute(content, env, unset);
  const parsed = CREWS_FILE.safeParse(value);
  const isMissing = (path: PropertyKey[]) => missing.some((each) => isDeepStrictEqual(each.path, path));
  const wrong = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => mistakesIn(issue, SETTING_NAMES)),
    ...compareCrews(known),
    ...LIST.parse(MAP.parse(known).crews).flatMap((crew, i) =>
      within(['crews', i, 'approval'], dependencyMistakes(crew)),
    ),
  ];
  const problems = inOrder([
    ...remarks,
    ...missing.map(({ path, name }) => remark(path, `names the variable ${name}, which isn't set`)),
    ...wrong.filter(({ path }) => !isMissing(path)).map(({ path, message }) => remark(path, message)),
  ]);
  if (!parsed.success || problems.length > 0) return refuse(problems);
  return ok({ crews: parsed.data.crews, lines: policyLines(file.value) });
}

/** Lines of a crew's settings, by their path such as `approval.tasks.0.quorum`. */
type SettingLines = ReadonlyMap<string, number>;

/** Returns the lines for each crew in a file, in their order. */
function policyLines({ content, lineOf }: Pick<YamlFile, 'content' | 'lineOf'>): SettingLines[] {
  return LIST.parse(MAP.parse(content).crews).map(
    (crew, i) => new Map(pathsIn(crew).map((path) => [path.join('.'), lineOf(['crews', i, ...path])])),
  );
}

/** Returns the paths of a crew's settings. Of maps and lists, only `approval` is entered. */
function pathsIn(crew: Record<string, unknown>): (string | number)[][] {
  const ofApproval = namesIn(MAP.parse(crew.approval)).map((path) => ['approval', ...path]);
  return [...Object.keys(crew).map((key) => [key]), ...ofApproval];
}

/** Includes the settings of tasks, conditions and stages. */
function namesIn(rules: Record<string, unknown>): (string | number)[][] {
  const lists = ['tasks', 'when', 'stages'].flatMap((list) =>
    LIST.parse(rules[list]).flatMap((each, i) => namesIn(each).map((path) => [list, i, ...path])),
  );
  return [...Object.keys(rules).map((key) => [key]), ...lists];
}
