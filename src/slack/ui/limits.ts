/** Limits of Slack, in characters (UTF-16 code units) unless the name says otherwise. */

/** `chat.update` refuses a longer top-level `text`. https://docs.slack.dev/reference/methods/chat.update */
export const MESSAGE_TEXT_LIMIT = 4_000;
/** The text of all blocks of a message together. Not documented: https://github.com/slackapi/bolt-js/issues/2509 */
export const MESSAGE_BLOCKS_TEXT_LIMIT = 13_200;
/** https://docs.slack.dev/reference/block-kit/blocks */
export const MESSAGE_BLOCKS = 50;
/** https://docs.slack.dev/reference/block-kit/blocks/container-block */
export const CONTAINER_BLOCKS = 10;

/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
export const TEXT_LIMIT = 3_000;
/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
export const HEADER_LIMIT = 150;
/** https://docs.slack.dev/reference/block-kit/blocks/input-block */
export const BLOCK_ID_LIMIT = 255;
export const HINT_LIMIT = 2_000;

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
export const BUTTON_LIMIT = 75;
/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
export const OPTION_LIMIT = 75;
/** A select has at most 100 groups of 100. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element */
export const OPTIONS_PER_GROUP = 100;
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
export const TYPED_TEXT_LIMIT = 3_000;

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
export const CONFIRM_TITLE_LIMIT = 100;
export const CONFIRM_TEXT_LIMIT = 300;
export const CONFIRM_BUTTON_LIMIT = 30;

/** Titles and buttons of a modal. https://docs.slack.dev/reference/views/modal-views */
export const MODAL_TITLE_LIMIT = 24;
export const MODAL_BLOCKS = 100;
export const METADATA_LIMIT = 3_000;
/** The JSON of a view. https://docs.slack.dev/surfaces/modals */
export const VIEW_BYTES = 250_000;

/** After that, Slack shows the person an error. https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response */
export const ACK_LIMIT_MS = 3_000;
/** Messages or channels on one page. https://docs.slack.dev/reference/methods/conversations.replies */
export const PAGE_LIMIT = 999;

/** Our own limit on the feedback of one person. The list of edits to one field is always shorter. */
export const FEEDBACK_LENGTH = 15_000;
/** Our own limit on the text that the pages of a modal hold. A longer text is attached as a file. */
export const READABLE_LENGTH = 150_000;
