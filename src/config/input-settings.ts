import { z } from 'zod';
import type { InputHint, InputType } from '../core/crew.ts';
import type { Json } from '../core/json.ts';

/** The limit of a select menu in Slack: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const MOST_OPTIONS = 100;

/** Other tools' names for the types. */
const ALIASES: Record<InputType, string[]> = {
  text: ['string', 'short text'],
  long_text: ['textarea', 'multiline', 'paragraph'],
  number: ['integer', 'int', 'float', 'decimal'],
  yes_no: ['boolean', 'bool', 'checkbox'],
  choice: ['select', 'options', 'dropdown', 'enum'],
  date: [],
  json: ['object'],
};

const TYPES = new Map<string, InputType>(
  inputTypes().flatMap((type) => [type, ...ALIASES[type]].map((name): [string, InputType] => [simple(name), type])),
);

const TEXT = z.string({ error: 'must be text; put it in quotes' });
const SCALAR = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
});

/** One entry of a crew's `inputs`. */
export const INPUT_SETTINGS = z
  .strictObject(
    {
      label: TEXT.optional(),
      type: TEXT.transform((name, context): InputType => {
        const type = TYPES.get(simple(name));
        if (type) return type;
        const message = `must be one of ${inputTypes().join(', ')}`;
        context.issues.push({ code: 'custom', message, input: name });
        return z.NEVER;
      }).optional(),
      options: z
        .array(SCALAR, { error: 'must be a list' })
        .max(MOST_OPTIONS, `has more than ${MOST_OPTIONS} options, which is all that Slack can show`)
        .optional(),
      default: z.json({ error: 'must be a JSON value' }).optional(),
      help: TEXT.optional(),
    },
    { error: 'must be a map of label, type, options, default, help' },
  )
  .transform(
    ({ label, type, options = [], default: preset, help }): InputHint => ({
      label: label ?? null,
      type: type ?? (options.length > 0 ? 'choice' : 'text'),
      options,
      default: preset ?? null,
      help: help ?? null,
    }),
  )
  .check((context) => {
    const { type, options, default: preset } = context.value;
    const addIssue = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
    if (type === 'choice' && options.length === 0) addIssue('options', 'is missing: a choice needs options');
    if (type !== 'choice' && options.length > 0) addIssue('type', 'must be choice if there are options');
    if (preset !== null && !isValid(preset, context.value)) addIssue('default', DEFAULT_RULES[type]);
  });

const DEFAULT_RULES: Record<InputType, string> = {
  text: 'must be text; put it in quotes',
  long_text: 'must be text; put it in quotes',
  number: 'must be a number',
  yes_no: 'must be true or false',
  choice: 'must be one of the options',
  date: 'must be a date such as 2026-12-31',
  json: 'must be a JSON value',
};

function isValid(preset: Json, { type, options }: InputHint): boolean {
  switch (type) {
    case 'text':
    case 'long_text':
      return typeof preset === 'string';
    case 'number':
      return typeof preset === 'number';
    case 'yes_no':
      return typeof preset === 'boolean';
    case 'choice':
      return options.includes(preset);
    case 'date':
      return typeof preset === 'string' && z.iso.date().safeParse(preset).success;
    case 'json':
      return true;
  }
}

function inputTypes(): InputType[] {
  return ['text', 'long_text', 'number', 'yes_no', 'choice', 'date', 'json'];
}

/** `Long text`, `long-text` and `long_text` are the same name, and so are `yes/no` and `yes_no`. */
function simple(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
