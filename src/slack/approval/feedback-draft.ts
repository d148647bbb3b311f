import { type FormValues, typedText } from '../ui/form-values.ts';

export const FEEDBACK_BLOCK = 'feedback';
export const TEMPLATE_BLOCK = 'template';

/** What the field holds already, and why nothing was added to it, as mrkdwn. */
export interface FeedbackDraft {
  text: string;
  problem: string | null;
  /** How often the text was replaced: Slack shows another one only in a block with another id. */
  edition: number;
}

export function inEdition(edition: number, block: string): string {
  return edition === 0 ? block : `${block}:${edition}`;
}

/** The block of the typed feedback, where an error about it is shown, too. */
export function feedbackBlockIn(values: FormValues): string {
  return Object.keys(values).find((id) => id.startsWith(`${FEEDBACK_BLOCK}:`)) ?? FEEDBACK_BLOCK;
}

/** The feedback as it was typed, and the edition of its field. */
export function readDraft(values: FormValues): Pick<FeedbackDraft, 'text' | 'edition'> {
  const id = feedbackBlockIn(values);
  return { text: typedText(values, id), edition: Number(id.slice(FEEDBACK_BLOCK.length + 1)) || 0 };
}

/** The feedback without surrounding space. */
export function readFeedback(values: FormValues): string {
  return readDraft(values).text.trim();
}
