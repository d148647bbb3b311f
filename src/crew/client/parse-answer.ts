import type { Json } from '../../core/json.ts';
import { candidates, idField, own, pick } from '../payload/fields.ts';
import { isJsonObject, parseJsonBody } from '../payload/json-body.ts';
import { outputText } from '../payload/output-text.ts';
import { plainLine } from '../payload/plain-text.ts';

/** The id in a 2xx answer to `POST /kickoff`; null if there is none. */
export function parseKickoffId(text: string): string | null {
  return firstId(text, ['kickoff_id', 'kickoffId', 'execution_id', 'executionId', 'id']);
}

/** The new id in a 2xx answer to `POST /resume`; null if the run keeps its id. */
export function parseResumedId(text: string): string | null {
  return firstId(text, ['kickoff_id', 'kickoffId']);
}

function firstId(text: string, names: string[]): string | null {
  const body = parseJsonBody(text);
  const ids = body ? candidates(body.value).map((each) => idField.parse(pick(each, ...names) ?? null)) : [];
  return ids.find((id) => id !== null) ?? null;
}

/** What the body of an error answer says. */
export interface ErrorAnswer {
  /** Plain text, one line, truncated. */
  detail: string;
  /** Inputs reported as missing. */
  missingInputs: string[];
  /** Fields of our own request reported as missing. */
  missingFields: string[];
  isQuota: boolean;
}

const DETAIL_LENGTH = 300;

/** Reads `detail ?? message ?? error`, or the text itself if it isn't JSON. */
export function parseError(text: string): ErrorAnswer {
  const body = parseJsonBody(text)?.value;
  const said = isJsonObject(body) ? pick(body, 'detail', 'message', 'error') : body;
  const problems = problemsOf(said);
  const sentence = problems.length > 0 ? problems.map(sentenceOf).join('; ') : outputText(innerText(said) ?? text);
  const missing = problems.filter(({ isMissing }) => isMissing);
  const inputs = missing.filter(({ path }) => path.includes('inputs')).flatMap(({ path }) => path.at(-1) ?? []);
  return {
    detail: plainLine(sentence, DETAIL_LENGTH),
    missingInputs: unique([
      ...listedInputs(body),
      ...inputsInText(sentence),
      ...inputs.filter((name) => name !== 'inputs'),
    ]),
    missingFields: problems.filter(({ path }) => !path.includes('inputs')).flatMap(({ path }) => path.at(-1) ?? []),
    isQuota: /\bmonthly\b.{0,40}\blimit\b|\bexecution limit\b|\bquota\b/i.test(sentence),
  };
}

/** One entry of a validation error: https://fastapi.tiangolo.com/tutorial/handling-errors/ */
interface Problem {
  path: string[];
  message: string;
  /** Something is there, but can't be used, unless this says that it is missing. */
  isMissing: boolean;
}

function problemsOf(said: Json | undefined): Problem[] {
  if (!Array.isArray(said)) return [];
  return said.slice(0, 50).flatMap((each) => {
    if (!isJsonObject(each)) return [];
    const path = pick(each, 'loc');
    const names = (Array.isArray(path) ? path : []).filter((part) => typeof part === 'string');
    const message = outputText(pick(each, 'msg', 'message'));
    const said = `${outputText(pick(each, 'type'))} ${message}`.trim();
    return [{ path: names, message, isMissing: said === '' || /\bmissing\b|\brequired\b/i.test(said) }];
  });
}

function sentenceOf({ path, message }: Problem): string {
  const place = path.filter((part) => part !== 'body').join('.');
  return place === '' ? message : `${place}: ${message}`;
}

function innerText(said: Json | undefined): Json | undefined {
  return isJsonObject(said) ? (pick(said, 'message', 'detail', 'error') ?? said) : said;
}

function listedInputs(body: Json | undefined): string[] {
  if (!isJsonObject(body)) return [];
  const places = [body, pick(body, 'details'), pick(body, 'detail'), pick(body, 'error')].filter(isJsonObject);
  const lists = places.map((place) => own(place, 'missing_inputs') ?? own(place, 'missingInputs'));
  return lists.filter((list) => Array.isArray(list)).flatMap((list) => list.filter((name) => typeof name === 'string'));
}

/** `Missing inputs: topic, audience`, with or without quotes and brackets. */
function inputsInText(sentence: string): string[] {
  const [, list = ''] = /missing (?:required )?inputs?:?\s+([^;\n]{1,2000}?)(?:\.\s|\.?$|[;\n])/im.exec(sentence) ?? [];
  return list.split(',').map((name) => name.replace(/^[\s"'`[\](){}]+|[\s"'`[\](){}]+$/g, ''));
}

function unique(names: string[]): string[] {
  return [...new Set(names.map((name) => plainLine(name, 200)))].filter((name) => name !== '').slice(0, 50);
}
