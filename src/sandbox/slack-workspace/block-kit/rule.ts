import { isObject, type Json, type JsonObject } from '../json.ts';

/** A violation, its location (a JSON pointer), and the page of Slack's documentation with the rule. */
export type BlockProblem = { pointer: string; message: string; documentation: string };

export type Report = (pointer: string, message: string, documentation?: string) => void;
export type Rule = (value: Json, pointer: string, report: Report) => void;
type Field = { rule: Rule; required: boolean };
export type Fields = { [name: string]: Field };

export const BLOCK_KIT_DOCS = 'https://docs.slack.dev/reference/block-kit';

export const required = (rule: Rule): Field => ({ rule, required: true });
export const optional = (rule: Rule): Field => ({ rule, required: false });

/** An object with these fields and no others. Problems in it refer to `documentation`. */
export function shape(fields: Fields, documentation: string, also?: (value: JsonObject) => string[]): Rule {
  return (value, pointer, report) => {
    const explain: Report = (at, message, source) => report(at, message, source ?? documentation);
    if (!isObject(value)) return explain(pointer, 'must provide an object');
    for (const [name, field] of Object.entries(fields)) {
      const inner = value[name];
      if (inner === undefined || inner === null) {
        if (field.required) explain(pointer, `missing required field: ${name}`);
      } else field.rule(inner, `${pointer}/${name}`, explain);
    }
    for (const name of Object.keys(value))
      if (!(name in fields)) explain(pointer, `invalid additional property: ${name}`);
    for (const message of also?.(value) ?? []) explain(pointer, message);
  };
}

/** An object whose `type` selects the rule. */
export function oneOfTypes(rules: ReadonlyMap<string, Rule>): Rule {
  return (value, pointer, report) => {
    if (!isObject(value)) return report(pointer, 'must provide an object');
    if (typeof value.type !== 'string') return report(pointer, 'missing required field: type');
    const rule = rules.get(value.type);
    if (rule) rule(value, pointer, report);
    else report(`${pointer}/type`, `unsupported type: ${value.type}`);
  };
}

export function list(rule: Rule, size: { min?: number; max?: number }): Rule {
  return (value, pointer, report) => {
    if (!Array.isArray(value)) return report(pointer, 'must provide an array');
    if (value.length < (size.min ?? 0)) report(pointer, `no less than ${size.min} items allowed`);
    if (value.length > (size.max ?? Number.POSITIVE_INFINITY))
      report(pointer, `no more than ${size.max} items allowed`);
    value.forEach((item, index) => {
      rule(item, `${pointer}/${index}`, report);
    });
  };
}

export function string(size: { min?: number; max?: number; pattern?: RegExp; of?: readonly string[] } = {}): Rule {
  return (value, pointer, report) => {
    if (typeof value !== 'string') return report(pointer, 'must provide a string');
    const length = codePoints(value);
    if (length < (size.min ?? 0)) report(pointer, `must be more than ${(size.min ?? 0) - 1} characters`);
    if (length > (size.max ?? Number.POSITIVE_INFINITY))
      report(pointer, `must be less than ${(size.max ?? 0) + 1} characters`);
    if (size.pattern && !size.pattern.test(value)) report(pointer, 'must match the expected format');
    if (size.of && !size.of.includes(value)) report(pointer, `must be one of: ${size.of.join(', ')}`);
  };
}

/** Slack's limits count these, so that an emoji is one character. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function integer(range: { min?: number; max?: number } = {}): Rule {
  return (value, pointer, report) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return report(pointer, 'must provide an integer');
    if (value < (range.min ?? Number.NEGATIVE_INFINITY)) report(pointer, `must be at least ${range.min}`);
    if (value > (range.max ?? Number.POSITIVE_INFINITY)) report(pointer, `must be at most ${range.max}`);
  };
}

export const boolean: Rule = (value, pointer, report) => {
  if (typeof value !== 'boolean') report(pointer, 'must provide a boolean');
};

export const number: Rule = (value, pointer, report) => {
  if (typeof value !== 'number') report(pointer, 'must provide a number');
};

export const anything: Rule = () => {};

export const literal = (type: string): Field => required(string({ of: [type] }));

/** `block_id`, `action_id`, `callback_id`: at most 255 characters. */
export const identifier: Field = optional(string({ min: 1, max: 255 }));
