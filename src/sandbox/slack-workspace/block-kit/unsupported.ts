import type { Rule } from './rule.ts';

/**
 * What Slack has and this workspace can't show or do. It is refused by name, so that nobody looks for a mistake in their
 * app. The README has the same list.
 */
export const UNSUPPORTED = {
  blocks: ['call', 'card', 'carousel', 'container', 'data_table', 'file', 'plan', 'task_card', 'video'],
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
