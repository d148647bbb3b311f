import { z } from 'zod';
import type { InputKind, InputKinds } from '../core/policy/condition.ts';
import { ASSIGNEE } from '../core/policy/crew.ts';
import { INPUT_TYPES, type InputHint, type InputType } from '../core/values/input-field.ts';
import type { Json } from '../core/values/json.ts';
import { NOT_TEXT, parseText } from './fields.ts';

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
  INPUT_TYPES.flatMap((type) => [type, ...ALIASES[type]].map((name): [string, InputType] => [simple(name), type])),
);

const TEXT = z.string(NOT_TEXT);
const SCALAR = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
});

const LIMIT = z.number({ error: 'must be a number' });

export const INPUT_TYPE = parseText(
  `must be one of ${INPUT_TYPES.join(', ')}`,
  (name) => TYPES.get(simple(name)),
  NOT_TEXT,
);

/** One entry of a crew's `inputs`; `compareInput` finds contradictions between its settings. */
export const INPUT_SETTINGS = z
  .strictObject(
    {
      label: TEXT.optional(),
      type: INPUT_TYPE.optional(),
      options: z.array(SCALAR, { error: 'must be a list' }).optional(),
      default: z.json({ error: 'must be a JSON value' }).optional(),
      help: TEXT.optional(),
      min: LIMIT.optional(),
      max: LIMIT.optional(),
    },
    { error: 'must be a map of label, type, options, default, help, min, max' },
  )
  .transform(
    ({ label, type, options = [], default: preset, help, min, max }): InputHint => ({
      label: label ?? null,
      type: type ?? (options.length > 0 ? 'choice' : 'text'),
      options,
      default: preset ?? null,
      help: help ?? null,
      min: min ?? null,
      max: max ?? null,
    }),
  );

interface CrewInputs {
  inputs?: Readonly<Record<string, InputHint>> | null | undefined;
  flow_secret?: unknown;
}

/** Returns the kinds of a crew's inputs that conditions can compare, and of the assignee, which flows set. */
export function kindsOfInputs({ inputs, flow_secret }: CrewInputs): InputKinds {
  const ofFlows: InputKinds = flow_secret === undefined ? {} : { [ASSIGNEE]: 'text' };
  return { ...ofFlows, ...inputKinds(inputs ?? {}) };
}

function inputKinds(inputs: Readonly<Record<string, InputHint>>): InputKinds {
  const kinds = Object.entries(inputs).flatMap(([name, { type, options }]) => {
    const kind = kindOf(type, options);
    return kind === null ? [] : [[name, kind] as const];
  });
  return Object.fromEntries(kinds);
}

function kindOf(type: InputType, options: readonly Json[]): InputKind | null {
  switch (type) {
    case 'text':
    case 'long_text':
    case 'date':
      return 'text';
    case 'number':
    case 'yes_no':
      return type;
    case 'choice': {
      const [kind, ...others] = new Set(options.map((option) => KIND_OF_OPTION[typeof option] ?? null));
      return others.length === 0 ? (kind ?? null) : null;
    }
    case 'json':
      return null;
  }
}

const KIND_OF_OPTION: Record<string, InputKind> = { string: 'text', number: 'number', boolean: 'yes_no' };

/** Simplifies a name: `Long text`, `long-text` and `long_text` are the same, and so are `yes/no` and `yes_no`. */
function simple(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
