// The fields in which people type: of the form that starts a crew, and of a question that isn't yes or no.
import type { Json } from './json.ts';

export const INPUT_TYPES = ['text', 'long_text', 'number', 'yes_no', 'choice', 'date', 'json'] as const;

export type InputType = (typeof INPUT_TYPES)[number];

/** How an input is asked for. */
export interface InputHint {
  label: string | null;
  type: InputType;
  /** The values of a choice, in the order shown. */
  options: Json[];
  default: Json | null;
  help: string | null;
  /** The least and the most that a number may be; null for no limit. */
  min: number | null;
  max: number | null;
}

/** A field of a form: an input that a crew reports, with the operator's hint, or what a program asks for. */
export interface InputField extends InputHint {
  name: string;
  label: string;
  /** Whether it may stay empty although it has no default. */
  isOptional?: true | undefined;
}

/** A list in Slack holds so many. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export const MOST_FIELD_OPTIONS = 100;

/** What a person has filled into fields, by their names; what they left empty is left out. */
export type Answer = Readonly<Record<string, string | number>>;
