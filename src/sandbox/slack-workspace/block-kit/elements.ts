import { BUTTON_ELEMENTS } from './button-elements.ts';
import { slackFile } from './composition.ts';
import { type ElementRule, elementDocs } from './element-rule.ts';
import { INPUT_ELEMENTS } from './input-elements.ts';
import { MENU_ELEMENTS } from './menu-elements.ts';
import { literal, optional, type Rule, required, shape, string } from './rule.ts';

/** Slack elements this workspace can't render yet; the error says so instead of blaming the app. */
const UNSUPPORTED = ['external_select', 'multi_external_select', 'rich_text_input', 'file_input'].map(
  (type): ElementRule => [
    type,
    (_, pointer, report) => report(pointer, `${type} exists in Slack but is not supported by this workspace yet`),
  ],
);

/** The elements of these types, by type. https://docs.slack.dev/reference/block-kit/block-elements */
export function elementsOf(types: readonly string[]): ReadonlyMap<string, Rule> {
  const known = [...BUTTON_ELEMENTS, ...MENU_ELEMENTS, ...INPUT_ELEMENTS].filter(([type]) => types.includes(type));
  return new Map([...known, ...UNSUPPORTED]);
}

export const MENU_TYPES = MENU_ELEMENTS.map(([type]) => type);

/** https://docs.slack.dev/reference/block-kit/block-elements/image-element */
export const IMAGE_ELEMENT: ElementRule = [
  'image',
  shape(
    {
      type: literal('image'),
      alt_text: required(string({ max: 2000 })),
      image_url: optional(string({ min: 1, max: 3000 })),
      slack_file: optional(slackFile),
    },
    elementDocs('image-element'),
    (image) => ('image_url' in image || 'slack_file' in image ? [] : ['must provide either image_url or slack_file']),
  ),
];
