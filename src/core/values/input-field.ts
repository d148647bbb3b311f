// Fields that people fill in: in the form that starts a crew, and in requests that aren't a yes or no.

import type { Json } from './json.ts';

export const INPUT_TYPES = ['text', 'long_text', 'number', 'yes_no', 'choice', 'date', 'json'] as const;

export type InputType = (typeof INPUT_TYPES)[number];

/** The operator's description of an input. */
export interface InputHint {
  label: string | null;
  type: InputType;
  /** The values of a choice, in the order shown. */
  options: Json[];
  default: Json | null;
  help: string | null;
  /** Limits of a number. */
  min: number | null;
  max: number | null;
}

/** A field of a form: an input that a crew reports, with the operator's hint, or a field of a program's request. */
export interface InputField extends InputHint {
  name: string;
  label: string;
  /** The field may stay empty although it has no default. */
  isOptional?: true | undefined;
}

/** The most options of a menu in Slack: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export const MOST_FIELD_OPTIONS = 100;

/** The values that a person has filled in, by the names of the fields. Empty fields are left out. */
export type Answer = Readonly<Record<string, string | number>>;
