// Reads the body of `POST /asks`.

import { z } from 'zod';
import type { Crew } from '../../core/policy/crew.ts';
import { MOST_OUTCOMES, OUTCOME_LENGTH } from '../../core/policy/outcomes.ts';
import { type InputField, type InputType, MOST_FIELD_OPTIONS } from '../../core/values/input-field.ts';
import type { Inputs } from '../../core/values/json.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import { DURATION, type Millis, parseDuration } from '../../core/values/time.ts';
import { isUsable } from '../inputs.ts';
import { whyNotCallback } from './askers.ts';

export interface AskBody {
  /** The name of the crew whose rules say who decides. */
  policy: string;
  title: string;
  /** Markdown. */
  text: string;
  /** The program's own reason. */
  why: string | null;
  outcomes: readonly string[] | null;
  /** Fields of the answer; never together with outcomes. */
  fields: readonly InputField[] | null;
  /** The address for the decision; null if the program fetches it. */
  callback: string | null;
  /** The id or name of a channel; null for the crew's. */
  channel: string | null;
  inputs: Inputs;
  limitMs: Millis | null;
  /** The program's own id. The same id asks only once. */
  id: string | null;
  /** The program's own name for a conversation, which has one thread in Slack. */
  thread: string | null;
  /** The ref of the ask in that thread that this one replaces. */
  replaces: string | null;
}

const TITLE_LENGTH = 150;
const TEXT_LENGTH = 1_048_576;
const WHY_LENGTH = 2_000;
const FIELDS = { most: 10, label: 150, help: 500, option: 75 };
const INPUTS = { most: 50, length: 3_000 };
const ID_LENGTH = 200;
const THREAD_LENGTH = 200;

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
const WHY_RULE = `must be text of 1 to ${WHY_LENGTH} characters`;
const OUTCOMES_RULE = `must be a list of 1 to ${MOST_OUTCOMES} different names`;
const FIELDS_RULE = `must be a list of 1 to ${FIELDS.most} fields with different names`;
const OPTIONS_RULE = `must be a list of 1 to ${MOST_FIELD_OPTIONS} different texts`;
const INPUTS_RULE = `must be a map of at most ${INPUTS.most} texts, numbers, and true or false`;
const INPUT_RULE = `must be a text of at most ${INPUTS.length} characters, a number, or true or false`;
const LIMIT_RULE = 'must be a number of seconds, or a time such as 30m or 4h, of at most 365d';

const REPLACES_RULE = 'must be the ref of what was asked before';

const LIMIT = z
  .union([z.int(LIMIT_RULE).positive(LIMIT_RULE), z.string().meta({ pattern: DURATION.source })], LIMIT_RULE)
  .transform((value, context): Millis => {
    const ms = parseDuration(typeof value === 'number' ? `${value}s` : value);
    if (ms) return ms;
    context.issues.push({ code: 'custom', message: LIMIT_RULE, input: value });
    return z.NEVER;
  });

const CALLBACK = z.string('must be an address').max(2_000, 'is longer than 2000 characters');
const CALLBACK_IN = z.object({ callback: CALLBACK });

const FIELD_TYPES = ['text', 'long_text', 'number', 'choice', 'date'] as const satisfies readonly InputType[];
const FIELD_RULE = 'must be a field: name, and perhaps label, type, options, required, help, min, max';

/** Checks rules about several settings although single ones are wrong, so that the answer names all mistakes at once. */
const TOGETHER = { when: ({ value }: { value: unknown }) => z.looseObject({}).safeParse(value).success };

const FIELD_SETTINGS = z.strictObject(
  {
    name: line(FIELDS.label).refine(isUsable, 'is no usable name of a field'),
    label: line(FIELDS.label).nullish(),
    type: z
      .enum(FIELD_TYPES, `must be ${FIELD_TYPES.slice(0, -1).join(', ')} or ${FIELD_TYPES.at(-1)}`)
      .default('text'),
    options: z
      .array(line(FIELDS.option), OPTIONS_RULE)
      .min(1, OPTIONS_RULE)
      .max(MOST_FIELD_OPTIONS, OPTIONS_RULE)
      .refine((options) => new Set(options).size === options.length, OPTIONS_RULE)
      .meta({ uniqueItems: true })
      .nullish(),
    required: z.boolean('must be true or false').default(true),
    help: line(FIELDS.help).nullish(),
    min: z.number('must be a number').nullish(),
    max: z.number('must be a number').nullish(),
  },
  FIELD_RULE,
);

const FIELD = FIELD_SETTINGS.superRefine(({ type, options, min, max }, { addIssue }) => {
  const wrong = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message });
  if (!FIELD_TYPES.includes(type)) return;
  if (type === 'choice' && options == null) wrong('options', `${OPTIONS_RULE}, for a choice`);
  if (type !== 'choice' && options != null) wrong('options', 'is only for a choice');
  if (type !== 'number' && min != null) wrong('min', 'is only for a number');
  if (type !== 'number' && max != null) wrong('max', 'is only for a number');
  if (type === 'number' && min != null && max != null && min > max) wrong('max', 'is less than min');
}, TOGETHER).transform(
  ({ name, label, type, options, required, help, min, max }): InputField => ({
    name,
    label: label ?? name,
    type,
    options: options ?? [],
    default: null,
    help: help ?? null,
    min: min ?? null,
    max: max ?? null,
    ...(!required && { isOptional: true }),
  }),
);

export const ASK = z
  .strictObject(
    {
      policy: z
        .string('must be the name of the crew whose rules say who decides')
        .describe('The name of the crew whose rules say who decides; the token is that crew’s.'),
      title: line(TITLE_LENGTH).describe('One line.'),
      text: z
        .string(TEXT_RULE)
        .max(TEXT_LENGTH, TEXT_RULE)
        .refine((text) => text.trim() !== '', TEXT_RULE)
        .meta({ minLength: 1 })
        .describe('What people need to decide, as Markdown.'),
      why: z
        .string(WHY_RULE)
        .trim()
        .min(1, WHY_RULE)
        .max(WHY_LENGTH, WHY_RULE)
        .nullish()
        .describe('Why the program wants to do it; people see it marked as its own words.'),
      outcomes: z
        .array(line(OUTCOME_LENGTH), OUTCOMES_RULE)
        .min(1, OUTCOMES_RULE)
        .max(MOST_OUTCOMES, OUTCOMES_RULE)
        .refine((names) => new Set(names).size === names.length, OUTCOMES_RULE)
        .meta({ uniqueItems: true })
        .nullish()
        .describe('What people choose from; without it, they approve or reject. Not together with fields.'),
      fields: z
        .array(FIELD, FIELDS_RULE)
        .min(1, FIELDS_RULE)
        .max(FIELDS.most, FIELDS_RULE)
        .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, FIELDS_RULE)
        .nullish()
        .describe('What people fill in, for a question that isn’t yes or no.'),
      callback: CALLBACK.nullish().describe('Where the decision is sent. Its host is in callback_hosts of the crew.'),
      channel: line(80).nullish().describe('The id or name of a channel that the bot is in; by default the crew’s.'),
      inputs: z
        .record(
          z.string().refine(isUsable),
          z.union([z.string().max(INPUTS.length, INPUT_RULE), z.number(), z.boolean()], INPUT_RULE),
          INPUTS_RULE,
        )
        .refine((inputs) => Object.keys(inputs).length <= INPUTS.most, INPUTS_RULE)
        .meta({ maxProperties: INPUTS.most })
        .nullish()
        .describe('What conditions and input: approvers of the rules may depend on.'),
      expires_in: LIMIT.nullish().describe('Seconds, or a time such as 30m or 4h, after which nobody waits any more.'),
      id: line(ID_LENGTH).nullish().describe('The program’s own name for it: it is asked once under it.'),
      thread: line(THREAD_LENGTH)
        .nullish()
        .describe('The program’s own name for a conversation, which has one thread.'),
      replaces: z
        .string(REPLACES_RULE)
        .nullish()
        .describe('The ref of an ask of the same thread, which closes if it still waits.'),
    },
    'must be a JSON object: policy, title, text',
  )
  .superRefine(({ outcomes, fields, thread, replaces }, { addIssue }) => {
    const wrong = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message });
    if (outcomes != null && fields != null) wrong('fields', 'can’t come together with outcomes');
    if (replaces != null && thread == null) wrong('replaces', 'can’t come without thread');
  }, TOGETHER);

/** Reads an ask. A refusal has a sentence for each wrong field, and never repeats a value. */
export function parseAsk(body: unknown, crew: Pick<Crew, 'callbackHosts'>): Result<AskBody, string[]> {
  const parsed = ASK.safeParse(body);
  const problems = [...(parsed.error?.issues ?? []).flatMap(sentencesOf), ...callbackProblems(body, crew)];
  if (!parsed.success || problems.length > 0) return refuse(problems);
  const {
    why,
    outcomes,
    fields,
    callback,
    channel,
    inputs,
    expires_in: limitMs,
    id,
    thread,
    replaces,
    ...question
  } = parsed.data;
  return ok({
    ...question,
    why: why ?? null,
    outcomes: outcomes ?? null,
    fields: fields ?? null,
    callback: callback ?? null,
    channel: channel?.replace(/^#/, '') ?? null,
    inputs: inputs ?? {},
    limitMs: limitMs ?? null,
    id: id ?? null,
    thread: thread ?? null,
    replaces: replaces ?? null,
  });
}

/** Checks the callback's host, which the schema can't: the allowed hosts are the crew's. */
function callbackProblems(body: unknown, crew: Pick<Crew, 'callbackHosts'>): string[] {
  const { data } = CALLBACK_IN.safeParse(body);
  const refusal = data ? whyNotCallback(data.callback, crew) : null;
  return refusal === null ? [] : [`callback ${refusal}.`];
}

function sentencesOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.length === 0 ? 'The body' : issue.path.map(String).join('.').slice(0, 100);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, 10).map((key) => {
        const own = key.slice(0, 50);
        return issue.path.length === 0 ? `${own} is no field of an ask.` : `${place}.${own} is no setting of a field.`;
      });
    case 'invalid_key':
      return [`${place} is no usable name of an input.`];
    default:
      return [`${place} ${issue.message}.`];
  }
}
