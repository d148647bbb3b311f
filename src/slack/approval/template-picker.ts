import type { ActionsBlock, PlainTextOption } from '@slack/types';
import type { FeedbackTemplate } from '../../core/approval/policy/policy.ts';
import type { ActionId } from '../ui/action-ids.ts';
import { plain } from '../ui/blocks.ts';
import { grouped } from '../ui/grouped-options.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** Offers texts to start from; empty where there are none. Names of templates are unique, and have at most 75 characters. */
export function templatePicker(templates: readonly FeedbackTemplate[], blockId: string): ActionsBlock[] {
  if (templates.length === 0) return [];
  const options = templates.map(
    ({ name }): PlainTextOption => ({ text: plain(name, OPTION_LIMIT), value: name.slice(0, OPTION_LIMIT) }),
  );
  return [
    {
      type: 'actions',
      block_id: blockId,
      elements: [
        {
          type: 'static_select',
          action_id: 'pick_template' satisfies ActionId,
          placeholder: plain('Start from a template'),
          ...grouped(options),
        },
      ],
    },
  ];
}

/** The feedback once a template was chosen: added as a new paragraph, or left as it was typed, and why; mrkdwn. */
export function withTemplate(
  typed: string,
  templates: readonly FeedbackTemplate[],
  name: string,
): { text: string; problem: string | null } {
  const template = templates.find((each) => each.name === name);
  if (!template) return { text: typed, problem: 'This template is no longer offered, so nothing was added.' };
  const text = typed.trim() === '' ? template.text : `${typed.trimEnd()}\n\n${template.text}`;
  return text.length <= TYPED_TEXT_LIMIT ? { text, problem: null } : { text: typed, problem: tooLong(template) };
}

function tooLong({ name }: FeedbackTemplate): string {
  const most = TYPED_TEXT_LIMIT.toLocaleString('en');
  return `“${escapedLine(name, 80)}” was not added: with it, the feedback would be longer than ${most} characters.`;
}
