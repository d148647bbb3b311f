import { z } from 'zod';
import type { InputHint, InputType } from '../core/crew.ts';
import type { Json } from '../core/json.ts';

/** As many as a menu in Slack can show: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const MOST_OPTIONS = 100;

/** What operators call the types, as seen in other tools' forms. */
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

const TEXT = z.string({ error: 'has to be text; put it in quotes' });
const SCALAR = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'has to be a text, a number, true, false or null',
});

/** One entry of a crew's `inputs`. */
export const INPUT_SETTINGS = z
  .strictObject(
    {
      label: TEXT.optional(),
      type: TEXT.transform((name, context): InputType => {
        const type = TYPES.get(simple(name));
        if (type) return type;
        const message = `has to be one of ${inputTypes().join(', ')}`;
        context.issues.push({ code: 'custom', message, input: name });
        return z.NEVER;
      }).optional(),
      options: z
        .array(SCALAR, { error: 'has to be a list' })
        .max(MOST_OPTIONS, `has more than the ${MOST_OPTIONS} options that Slack can show`)
        .optional(),
      default: z.json({ error: 'has to be a value as JSON has it' }).optional(),
      help: TEXT.optional(),
    },
    { error: 'has to be a map of label, type, options, default, help' },
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
    const complain = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
    if (type === 'choice' && options.length === 0)
      complain('options', 'is missing: a choice needs what to choose from');
    if (type !== 'choice' && options.length > 0) complain('type', 'has to be choice where there are options');
    if (preset !== null && !isFit(preset, context.value)) complain('default', DEFAULT_RULES[type]);
  });

const DEFAULT_RULES: Record<InputType, string> = {
  text: 'has to be text; put it in quotes',
  long_text: 'has to be text; put it in quotes',
  number: 'has to be a number',
  yes_no: 'has to be true or false',
  choice: 'has to be one of the options',
  date: 'has to be a date such as 2026-12-31',
  json: 'has to be a value as JSON has it',
};

function isFit(preset: Json, { type, options }: InputHint): boolean {
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
