import type { KnownBlock } from '@slack/types';
import type { Say } from '../language/say.ts';
import { button, buttons, context } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';
import { cutMarkdown } from '../ui/text/cut-markdown.ts';
import { richText } from '../ui/text/rich-text.ts';
import type { FeedbackForm } from './find-feedback-form.ts';

/** Enough to know which text this is about; the card behind the modal shows more of it. */
const EXCERPT_LIMIT = 500;

/** How the text begins that feedback is about, and a way to all of it; empty where there is nothing to show. */
export function feedbackExcerpt({ model, output }: Pick<FeedbackForm, 'model' | 'output'>, say: Say): KnownBlock[] {
  const { markdown, isCut } = cutMarkdown(output ?? '', EXCERPT_LIMIT);
  if (markdown === '' || !isCut) return richText(markdown);
  const { ref, taskName, crew, round } = model;
  const title = `${taskName ?? crew}, round ${round}`;
  const value = textValue({ ref, hash: model.output.hash, title, rest: 'attached' });
  return [
    ...richText(markdown),
    context(say('feedback.excerpt', { shown: markdown.length, all: model.output.length })),
    ...buttons(button('read_all', say('feedback.read'), { value })),
  ];
}
