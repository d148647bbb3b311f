// What a program sends to ask people something.
import { z } from 'zod';
import type { Crew } from '../../core/policy/crew.ts';
import { OUTCOME_LENGTH } from '../../core/policy/outcomes.ts';
import type { Inputs } from '../../core/values/json.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import { type Millis, parseDuration } from '../../core/values/time.ts';
import { isUsable } from '../inputs.ts';
import { whyNotCallback } from './askers.ts';

export interface AskBody {
  /** The crew whose rules say who decides. */
  policy: string;
  title: string;
  /** Markdown. */
  text: string;
  outcomes: readonly string[] | null;
  /** Where the decision is to be sent; null if it is fetched. */
  callback: string | null;
  /** The id or name of a channel; null for the crew's. */
  channel: string | null;
  inputs: Inputs;
  limitMs: Millis | null;
  /** The asker's own name for it: what is asked under one is asked once. */
  id: string | null;
}

const TITLE_LENGTH = 150;
const TEXT_LENGTH = 1_048_576;
const OUTCOMES = { least: 2, most: 5 };
const INPUTS = { most: 50, length: 3_000 };
const ID_LENGTH = 200;

const line = (length: number) => {
  const rule = `must be one line of 1 to ${length} characters`;
  return z
    .string(rule)
    .trim()
    .min(1, rule)
    .max(length, rule)
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), rule);
};

const TEXT_RULE = `must be text of 1 to ${TEXT_LENGTH} characters`;
const OUTCOMES_RULE = `must be a list of ${OUTCOMES.least} to ${OUTCOMES.most} different names`;
const INPUTS_RULE = `must be a map of at most ${INPUTS.most} texts, numbers, and true or false`;
const INPUT_RULE = `must be a text of at most ${INPUTS.length} characters, a number, or true or false`;
const LIMIT_RULE = 'must be a number of seconds, or a time such as 30m or 4h, of at most 365d';

const LIMIT = z.union([z.int(), z.string()], LIMIT_RULE).transform((given, context): Millis => {
  const ms = parseDuration(typeof given === 'number' ? `${given}s` : given);
  if (ms) return ms;
  context.issues.push({ code: 'custom', message: LIMIT_RULE, input: given });
  return z.NEVER;
});

const ASK = z.strictObject(
  {
    policy: z.string('must be the name of the crew whose rules say who decides'),
    title: line(TITLE_LENGTH),
    text: z
      .string(TEXT_RULE)
      .max(TEXT_LENGTH, TEXT_RULE)
      .refine((text) => text.trim() !== '', TEXT_RULE),
    outcomes: z
      .array(line(OUTCOME_LENGTH), OUTCOMES_RULE)
      .min(OUTCOMES.least, OUTCOMES_RULE)
      .max(OUTCOMES.most, OUTCOMES_RULE)
      .refine((names) => new Set(names).size === names.length, OUTCOMES_RULE)
      .nullish(),
    callback: z.string('must be an address').max(2_000, 'is longer than 2000 characters').nullish(),
    channel: line(80).nullish(),
    inputs: z
      .record(
        z.string().refine(isUsable),
        z.union([z.string().max(INPUTS.length), z.number(), z.boolean()], INPUT_RULE),
        INPUTS_RULE,
      )
      .refine((inputs) => Object.keys(inputs).length <= INPUTS.most, INPUTS_RULE)
      .nullish(),
    expires_in: LIMIT.nullish(),
    id: line(ID_LENGTH).nullish(),
  },
  'must be a JSON object: policy, title, text',
);

/** The refusal has a sentence for every field that is wrong, and repeats none of their values. */
export function parseAsk(body: unknown, crew: Pick<Crew, 'callbackHosts'>): Result<AskBody, string[]> {
  const parsed = ASK.safeParse(body);
  if (!parsed.success) return refuse(parsed.error.issues.flatMap(sentencesOf));
  const { outcomes, callback, channel, inputs, expires_in: limitMs, id, ...asked } = parsed.data;
  const whyNot = typeof callback === 'string' ? whyNotCallback(callback, crew) : null;
  if (whyNot !== null) return refuse([`callback ${whyNot}.`]);
  return ok({
    ...asked,
    outcomes: outcomes ?? null,
    callback: callback ?? null,
    channel: channel?.replace(/^#/, '') ?? null,
    inputs: inputs ?? {},
    limitMs: limitMs ?? null,
    id: id ?? null,
  });
}

function sentencesOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.length === 0 ? 'The body' : issue.path.map(String).join('.').slice(0, 100);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, 10).map((key) => `${key.slice(0, 50)} is no field of an ask.`);
    case 'invalid_key':
      return [`${place} is no usable name of an input.`];
    default:
      return [`${place} ${issue.message}.`];
  }
}
