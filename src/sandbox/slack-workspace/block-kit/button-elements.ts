import { overflowOption, plainText, workflow } from './composition.ts';
import { accessibility_label, confirm, type ElementRule, element, elementDocs, ids, style } from './element-rule.ts';
import { list, optional, type Rule, required, shape, string } from './rule.ts';

const FEEDBACK = 'feedback-buttons-element';
const feedbackButton: Rule = shape(
  { text: required(plainText(75)), value: required(string({ max: 2000 })), accessibility_label },
  elementDocs(FEEDBACK),
);

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const BUTTON_ELEMENTS: ElementRule[] = [
  element('button', 'button-element', {
    text: required(plainText(75)),
    url: optional(string({ max: 3000 })),
    value: optional(string({ max: 2000 })),
    style,
    confirm,
    accessibility_label,
  }),
  element('overflow', 'overflow-menu-element', {
    options: required(list(overflowOption, { min: 1, max: 5 })),
    confirm,
  }),
  element('workflow_button', 'workflow-button-element', {
    text: required(plainText(75)),
    action_id: required(string({ min: 1, max: 255 })),
    workflow: required(workflow),
    style,
    confirm,
    accessibility_label,
  }),
  element('feedback_buttons', FEEDBACK, {
    positive_button: required(feedbackButton),
    negative_button: required(feedbackButton),
  }),
  element('icon_button', 'icon-button-element', {
    // The only one at this time.
    icon: required(string({ of: ['trash'] })),
    text: required(plainText(75)),
    value: optional(string({ max: 2000 })),
    accessibility_label,
    confirm,
    visible_to_user_ids: ids,
  }),
];
