import type { JsonObject } from '../json.ts';
import { confirmDialog, plainText } from './composition.ts';
import {
  BLOCK_KIT_DOCS,
  boolean,
  type Fields,
  identifier,
  list,
  literal,
  optional,
  type Rule,
  shape,
  string,
} from './rule.ts';

export type ElementRule = [type: string, rule: Rule];

export const elementDocs = (page: string) => `${BLOCK_KIT_DOCS}/block-elements/${page}`;

export function element(
  type: string,
  page: string,
  fields: Fields,
  also?: (value: JsonObject) => string[],
): ElementRule {
  return [type, shape({ type: literal(type), action_id: identifier, ...fields }, elementDocs(page), also)];
}

// Fields shared by many elements.
export const confirm = optional(confirmDialog);
export const placeholder = optional(plainText(150));
export const focus_on_load = optional(boolean);
export const style = optional(string({ of: ['primary', 'danger'] }));
export const accessibility_label = optional(string({ max: 75 }));
export const ids = optional(list(string({ min: 1 }), {}));
