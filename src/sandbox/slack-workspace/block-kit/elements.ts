import { BUTTON_ELEMENTS } from './button-elements.ts';
import { slackFile } from './composition.ts';
import { type ElementRule, elementDocs } from './element-rule.ts';
import { INPUT_ELEMENTS } from './input-elements.ts';
import { MENU_ELEMENTS } from './menu-elements.ts';
import { literal, optional, type Rule, required, shape, string } from './rule.ts';
import { type Surface, takesElement } from './surface.ts';
import { refusals } from './unsupported.ts';

/** The elements of these types that a surface takes, by type. https://docs.slack.dev/reference/block-kit/block-elements */
export function elementsOf(types: readonly string[], surface: Surface): ReadonlyMap<string, Rule> {
  const known = [...BUTTON_ELEMENTS, ...MENU_ELEMENTS, ...INPUT_ELEMENTS].filter(
    ([type]) => types.includes(type) && takesElement(surface, type),
  );
  return new Map([...known, ...refusals('elements')]);
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
