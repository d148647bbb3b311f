// Which blocks and elements are shown where, and which this workspace doesn't have.

import type { Rule } from './rule.ts';

/** The places in which blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

/** The surfaces of blocks that not every surface takes, as their pages list them. */
const BLOCKS: { [type: string]: readonly Surface[] } = {
  // https://docs.slack.dev/reference/block-kit/blocks/alert-block
  alert: ['modal'],
  // https://docs.slack.dev/reference/block-kit/blocks/context-actions-block
  context_actions: ['message'],
  // https://github.com/slackapi/slack-skills-plugin/blob/33fe926/skills/block-kit/references/data-display-design.md
  data_table: ['message', 'home'],
  // https://github.com/slackapi/slack-skills-plugin/blob/33fe926/skills/block-kit/references/data-display-design.md
  data_visualization: ['message', 'home'],
  // https://docs.slack.dev/reference/block-kit/blocks/markdown-block
  markdown: ['message'],
  // https://github.com/slackapi/slack-skills-plugin/blob/b6cab8c/skills/block-kit/references/agent-progress-design.md
  plan: ['message'],
  task_card: ['message'],
  // https://docs.slack.dev/reference/block-kit/blocks/table-block
  table: ['message', 'home'],
};

/** The surfaces of each element that not every surface takes. */
const ELEMENTS: { [type: string]: readonly Surface[] } = {
  // https://docs.slack.dev/reference/block-kit/block-elements/datetime-picker-element
  datetimepicker: ['message', 'modal'],
  // https://docs.slack.dev/reference/block-kit/block-elements/email-input-element
  email_text_input: ['modal'],
  // https://docs.slack.dev/reference/block-kit/block-elements/file-input-element
  file_input: ['modal'],
  // https://docs.slack.dev/reference/block-kit/block-elements/number-input-element
  number_input: ['modal'],
  // https://docs.slack.dev/reference/block-kit/block-elements/url-input-element
  url_text_input: ['modal'],
  // https://docs.slack.dev/reference/block-kit/block-elements/workflow-button-element
  workflow_button: ['message'],
};

export const takesBlock = (surface: Surface, type: string) => BLOCKS[type]?.includes(surface) ?? true;
export const takesElement = (surface: Surface, type: string) => ELEMENTS[type]?.includes(surface) ?? true;

/**
 * Slack's blocks and elements that this workspace can't show or do. They are refused by name, so that nobody looks for a mistake in their
 * app. REFERENCE.md has the same list.
 */
export const UNSUPPORTED = {
  blocks: ['call', 'card', 'carousel', 'file', 'video'],
  elements: ['external_select', 'multi_external_select', 'rich_text_input'],
  'rich text': [
    'attachment_mention',
    'canvas',
    'canvas_message_unfurl',
    'canvas_user_mention',
    'citation',
    'file',
    'list_record',
    'message_mention',
    'salesforce_data_field',
    'tag',
    'work_object_mention',
    'workflow_mention',
  ],
} as const;

/** Rules that refuse these types by name. */
export function refusals(what: keyof typeof UNSUPPORTED): [type: string, rule: Rule][] {
  return UNSUPPORTED[what].map((type) => [
    type,
    (_, pointer, report) => report(pointer, `${type} exists in Slack but is not supported by this workspace`),
  ]);
}
