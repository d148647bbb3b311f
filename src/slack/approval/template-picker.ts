import { createHash } from 'node:crypto';
import type { ActionsBlock, PlainTextOption, StaticSelect } from '@slack/types';
import type { FeedbackTemplate } from '../../core/approval/policy/policy.ts';
import type { Say } from '../language/say.ts';
import type { ActionId } from '../ui/action-ids.ts';
import { plain } from '../ui/blocks.ts';
import { grouped } from '../ui/grouped-options.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { cutLine } from '../ui/text/cut.ts';
import { escapeMrkdwn } from '../ui/text/escape.ts';
import type { FeedbackDraft } from './feedback-draft.ts';

/** A text that a person can put into their feedback. */
export interface OfferedText {
  /** Unique among those that are offered together, at most 75 characters. */
  value: string;
  name: string;
  text: string;
}

/** Names of templates are unique, and have at most 75 characters. */
export function offeredTemplates(templates: readonly FeedbackTemplate[]): OfferedText[] {
  return templates.map(({ name, text }) => ({ value: name.slice(0, OPTION_LIMIT), name, text }));
}

/** Each by a hash of it, since others may be sent before one is chosen. */
export function offeredRecent(recent: readonly string[]): OfferedText[] {
  return recent.map((text) => {
    const value = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    return { value, name: cutLine(text, OPTION_LIMIT), text };
  });
}

/** Offers texts to start from; empty where there are none. */
export function feedbackPickers(
  { templates, recent }: { templates: readonly FeedbackTemplate[]; recent: readonly string[] },
  { blockId, say }: { blockId: string; say: Say },
): ActionsBlock[] {
  const elements = [
    ...picker('pick_template', say('feedback.templates'), offeredTemplates(templates)),
    ...picker('pick_recent', say('feedback.recent'), offeredRecent(recent)),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: blockId, elements }];
}

function picker(actionId: ActionId, placeholder: string, offered: readonly OfferedText[]): StaticSelect[] {
  if (offered.length === 0) return [];
  const options = offered.map(({ name, value }): PlainTextOption => ({ text: plain(name, OPTION_LIMIT), value }));
  return [{ type: 'static_select', action_id: actionId, placeholder: plain(placeholder), ...grouped(options) }];
}

/** The feedback once a text was chosen: added as a new paragraph, or left as it was typed, and why. */
export function withOffered(
  typed: string,
  offered: OfferedText | undefined,
  say: Say,
): Pick<FeedbackDraft, 'text' | 'problem'> {
  if (!offered) return { text: typed, problem: say('feedback.template-gone') };
  const text = typed.trim() === '' ? offered.text : `${typed.trimEnd()}\n\n${offered.text}`;
  if (text.length <= TYPED_TEXT_LIMIT) return { text, problem: null };
  const name = escapeMrkdwn(cutLine(offered.name, 80));
  return { text: typed, problem: say('feedback.no-room', { name, most: TYPED_TEXT_LIMIT }) };
}
