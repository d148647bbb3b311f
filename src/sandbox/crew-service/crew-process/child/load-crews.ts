import { pathToFileURL } from 'node:url';
import type { Crew } from '../../coded-crew.ts';
import type { JsonObject } from '../../json.ts';
import type { ScriptedCrew } from '../../sandbox-api/scripted-crew.ts';

/** Imports a crew file. Rejects with what it throws, or with what it lacks. */
export async function loadCrews(file: string, options: JsonObject): Promise<readonly (Crew | ScriptedCrew)[]> {
  const { crews } = await import(pathToFileURL(file).href);
  const exported: unknown = typeof crews === 'function' ? await crews(options) : crews;
  if (!Array.isArray(exported) || exported.length === 0)
    throw new Error('It exports no `crews`: a list of crews, or a function that returns one.');
  if (!exported.every(isCrew)) throw new Error('It exports `crews` that are not all made by defineCrew.');
  return exported;
}

function isCrew(value: unknown): value is Crew | ScriptedCrew {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && /^(coded|scripted)$/.test(String(value.kind))
  );
}
