import { z } from 'zod';
import type { InputType } from '../core/crew.ts';
import type { Json } from '../core/json.ts';
import { INPUT_TYPE } from './input-settings.ts';
import type { Mistake } from './mistake.ts';
import { repeatsIn } from './repeats-in.ts';

/** The limit of a select menu in Slack: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
const MOST_OPTIONS = 100;

const DEFAULT_RULES: Record<InputType, string> = {
  text: 'must be text; put it in quotes',
  long_text: 'must be text; put it in quotes',
  number: 'must be a number',
  yes_no: 'must be true or false',
  choice: 'must be one of the options',
  date: 'must be a date such as 2026-12-31',
  json: 'must be a JSON value',
};

/**
 * What is wrong between the settings of one input, or the options of one. What is wrong with one of them alone is left to the
 * schema.
 */
export function compareInput(settings: Record<string, unknown>): Mistake[] {
  const options = optionsIn(settings);
  const type = typeOf(settings, options);
  return [
    ...typeMistakes(type, options),
    ...optionMistakes(options ?? []),
    ...limitMistakes(settings, type),
    ...defaultMistakes(settings, { type, options: options ?? [] }),
  ];
}

/** Null if there is something else in their place. */
function optionsIn(settings: Record<string, unknown>): unknown[] | null {
  if (!('options' in settings)) return [];
  return Array.isArray(settings.options) ? settings.options : null;
}

/** Null if it can't be told. */
function typeOf(settings: Record<string, unknown>, options: unknown[] | null): InputType | null {
  if ('type' in settings) return INPUT_TYPE.safeParse(settings.type).data ?? null;
  if (options === null) return null;
  return options.length > 0 ? 'choice' : 'text';
}

function typeMistakes(type: InputType | null, options: unknown[] | null): Mistake[] {
  if (type === null || options === null) return [];
  if (type === 'choice' && options.length === 0) {
    return [{ path: ['options'], message: 'is missing: a choice needs options' }];
  }
  const isUnused = type !== 'choice' && options.length > 0;
  return isUnused ? [{ path: ['type'], message: 'must be choice if there are options' }] : [];
}

function optionMistakes(options: unknown[]): Mistake[] {
  const message = `has more than ${MOST_OPTIONS} options, which is all that Slack can show`;
  return [
    ...(options.length > MOST_OPTIONS ? [{ path: ['options'], message }] : []),
    ...repeatsIn(options).map((i) => ({ path: ['options', i], message: 'is already an option' })),
  ];
}

function limitMistakes({ min, max, default: preset }: Record<string, unknown>, type: InputType | null): Mistake[] {
  if (type === null) return [];
  const given = Object.entries({ min, max }).filter(([, limit]) => limit !== undefined);
  if (type !== 'number')
    return given.map(([name]) => ({ path: [name], message: 'is only for numbers: the type must be number' }));
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    return [{ path: ['max'], message: 'must not be less than min' }];
  if (typeof preset !== 'number') return [];
  const isOutside = (typeof min === 'number' && preset < min) || (typeof max === 'number' && preset > max);
  return isOutside ? [{ path: ['default'], message: 'must be within min and max' }] : [];
}

function defaultMistakes(
  { default: written }: Record<string, unknown>,
  { type, options }: { type: InputType | null; options: unknown[] },
): Mistake[] {
  const preset = z.json().safeParse(written).data ?? null;
  if (preset === null || type === null || fits(preset, type, options)) return [];
  return [{ path: ['default'], message: DEFAULT_RULES[type] }];
}

function fits(preset: Json, type: InputType, options: unknown[]): boolean {
  switch (type) {
    case 'text':
    case 'long_text':
      return typeof preset === 'string';
    case 'number':
      return typeof preset === 'number';
    case 'yes_no':
      return typeof preset === 'boolean';
    case 'choice':
      // Without options, their lack is the mistake.
      return options.length === 0 || options.includes(undefined) || options.includes(preset);
    case 'date':
      return typeof preset === 'string' && z.iso.date().safeParse(preset).success;
    case 'json':
      return true;
  }
}
