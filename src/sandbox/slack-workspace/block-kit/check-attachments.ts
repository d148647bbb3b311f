import { isObject, type Json } from '../json.ts';
import { checkMessage, checkTables } from './check-message.ts';
import { expandMarkdown } from './expand-markdown.ts';
import {
  anything,
  type BlockProblem,
  boolean,
  type Fields,
  list,
  optional,
  type Report,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';

const DOCS = 'https://docs.slack.dev/messaging/formatting-message-text#attachments';

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export const MOST_ATTACHMENTS = 100;

const text = optional(string());

/** An attachment has these fields beside its blocks, and no others: https://github.com/slack-go/slack/pull/588 */
const WITH_BLOCKS: Rule = shape({ blocks: required(anything), color: text, fallback: text }, DOCS);

const FIELD: Rule = shape({ title: text, value: text, short: optional(boolean) }, DOCS);

/** What Slack shows. Anything else is kept, too. */
const LEGACY: Fields = {
  ...Object.fromEntries(
    ['fallback', 'color', 'pretext', 'text', 'title', 'title_link', 'footer', 'footer_icon', 'image_url', 'thumb_url']
      .concat('author_name', 'author_link', 'author_icon', 'author_subname', 'callback_id')
      .map((name) => [name, text]),
  ),
  fields: optional(list(FIELD, {})),
  mrkdwn_in: optional(list(string({ of: ['pretext', 'text', 'fields'] }), {})),
  ts: optional(timestamp),
  actions: optional(legacyActions),
};

/** Validates attachments. An empty list means that Slack accepts them. */
export function checkAttachments(attachments: readonly Json[]): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const report: Report = (pointer, message, documentation = DOCS) => problems.push({ pointer, message, documentation });
  attachments.forEach((attachment, index) => {
    const pointer = `/attachments/${index}`;
    if (hasBlocks(attachment)) {
      WITH_BLOCKS(attachment, pointer, report);
      const expanded = expandMarkdown(attachment.blocks);
      problems.push(...checkMessage(attachment.blocks, `${pointer}/blocks`));
      problems.push(...checkTables(expanded, `${pointer}/blocks`));
    } else checkLegacy(attachment, pointer, report);
  });
  return problems;
}

function hasBlocks(attachment: Json): attachment is { blocks: Json[] } {
  return isObject(attachment) && Array.isArray(attachment.blocks) && attachment.blocks.length > 0;
}

function checkLegacy(attachment: Json, pointer: string, report: Report): void {
  const known = isObject(attachment) && Object.entries(attachment).filter(([name]) => name in LEGACY);
  shape(LEGACY, DOCS)(known ? Object.fromEntries(known) : attachment, pointer, report);
}

function timestamp(value: Json, pointer: string, report: Report): void {
  if (!/^\d+(\.\d+)?$/.test(String(value))) report(pointer, 'must be a Unix timestamp');
}

function legacyActions(_: Json, pointer: string, report: Report): void {
  report(pointer, 'actions of attachments exist in Slack but are not supported by this workspace yet');
}
