import type { Say } from '../language/say.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { cut } from '../ui/text/cut.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { FeedbackDraft } from './feedback-draft.ts';
import type { FeedbackForm } from './find-feedback-form.ts';

interface FromMessage {
  /** What the message says. */
  text: string;
  /** How many requests wait in its thread. */
  open: number;
  model: Pick<FeedbackForm['model'], 'crew' | 'taskName'>;
}

/** Feedback that begins as a message, cut to what the field holds. */
export function messageDraft({ text, open, model }: FromMessage, say: Say): FeedbackDraft {
  const task = escapedLine(model.taskName ?? model.crew, 120);
  const said = [
    ...(text === '' ? [say('shortcut.no-text')] : []),
    ...(text.length > TYPED_TEXT_LIMIT ? [say('shortcut.cut', { count: text.length, most: TYPED_TEXT_LIMIT })] : []),
    ...(open > 1 ? [say('shortcut.newest', { count: open, task })] : []),
  ];
  return { text: cut(text, TYPED_TEXT_LIMIT), problem: said.length > 0 ? said.join(' ') : null, edition: 0 };
}
