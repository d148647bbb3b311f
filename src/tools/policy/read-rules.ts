import { type Crews, parseCrewsFile, readCrews, withPlaces } from '../../config/crews.ts';
import type { Environment } from '../../config/environment.ts';
import { inFile } from '../../config/file-mistakes.ts';
import { readText } from '../../config/yaml-file.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';

/**
 * Reads the crews of a file for questions about its rules: variables that no rule depends on, such as tokens, may be unset. Each
 * mistake begins with its line.
 */
export function readRules(path: string, env: Environment): Result<Crews, string[]> {
  const text = readText(path);
  if (!text.ok) return refuse([`${path} can't be read: ${text.refusal}.`]);
  const file = parseCrewsFile(text.value, env, (place) => (bearsOnRules(place) ? null : UNSET));
  return file.ok ? ok(withPlaces(file.value, path)) : refuse(file.refusal.map((mistake) => inFile(path, mistake)));
}

/** Reads the rules of the one crew in environment variables. */
export function readOnlyCrew(env: Environment): Result<Crews, string[]> {
  if (env.CREW_NAME === undefined)
    return refuse(['Give --crews with a crews file, or set CREWS_FILE, or CREW_NAME for a single crew.']);
  return readCrews({ CREW_BASE_URL: UNSET, CREW_TOKEN: 'unset', ...env });
}

/** Position of a path in a crews file. */
function bearsOnRules([_list, _crew, setting]: readonly PropertyKey[]): boolean {
  const others: readonly unknown[] = [
    'base_url',
    'control_url',
    'token',
    'flow_secret',
    'channel',
    'description',
    'approval_text',
  ];
  return !others.includes(setting);
}

/** Stands for a value that isn't set: a token, an address, a text. */
const UNSET = 'https://unset.invalid';
