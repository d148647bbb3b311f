/** Where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

/** The surfaces of blocks that not every surface takes, as their pages list them. */
const BLOCKS: { [type: string]: readonly Surface[] } = {
  // https://docs.slack.dev/reference/block-kit/blocks/alert-block
  alert: ['modal'],
  // https://docs.slack.dev/reference/block-kit/blocks/context-actions-block
  context_actions: ['message'],
  // https://github.com/slackapi/slack-skills-plugin/blob/33fe926/skills/block-kit/references/data-display-design.md
  data_visualization: ['message', 'home'],
  // https://docs.slack.dev/reference/block-kit/blocks/markdown-block
  markdown: ['message'],
  // https://docs.slack.dev/reference/block-kit/blocks/table-block
  table: ['message', 'home'],
};

/** The same for elements. */
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
