// The answer to a question that isn't yes or no, as cards, windows and the history show it.
import type { KnownBlock } from '@slack/types';
import type { Answer, InputField } from '../../core/values/input-field.ts';
import { withSigns } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { context } from '../ui/blocks.ts';
import { labelledFields, labelText } from '../ui/fields.ts';
import { cut } from '../ui/text/escape.ts';

/** A card shows an answer whole if its texts have no more characters. */
const CARD_LIMIT = 1_000;

/** Returns true if a card shows the whole answer, so that people can confirm it there. */
export function fitsCard(answer: Answer, fields: readonly InputField[]): boolean {
  return textsIn(labelledValues(answer, fields)).reduce((sum, text) => sum + text.length, 0) <= CARD_LIMIT;
}

/** Shows the whole answer under the labels of its fields. Nothing in it is live, and no value can pass for another field. */
export function wholeAnswer(answer: Answer, fields: readonly InputField[]): KnownBlock[] {
  const values = labelledValues(answer, fields);
  return values.length === 0 ? [] : [labelledFields(values)];
}

/** Shows an answer on a card. If the answer is too long, it is cut, and the card says so. */
export function answerOnCard(answer: Answer, fields: readonly InputField[], say: Say): KnownBlock[] {
  if (fitsCard(answer, fields)) return wholeAnswer(answer, fields);
  const values = labelledValues(answer, fields);
  const most = Math.floor(CARD_LIMIT / textsIn(values).length);
  const shortened = values.map(({ label, value }) => ({
    label,
    value: typeof value === 'number' ? value : cut(withSigns(value), most),
  }));
  return [labelledFields(shortened), context(say('card.answer-cut'))];
}

/** Returns an answer as plain text to copy from, with a line for each field. */
export function answerWords(answer: Answer, fields: readonly InputField[]): string {
  return labelledValues(answer, fields)
    .map(({ label, value }) => `${labelText(label)} ${value}`)
    .join('\n');
}

/** Returns an answer on one line of plain text. Its texts are in quotes, so that no value can pass for another field. */
export function answerLine(answer: Answer, fields: readonly InputField[]): string {
  return labelledValues(answer, fields)
    .map(
      ({ label, value }) =>
        `${labelText(label)} ${typeof value === 'number' ? value : JSON.stringify(withSigns(value))}`,
    )
    .join(', ');
}

interface LabelledValue {
  label: string;
  value: string | number;
}

function textsIn(values: readonly LabelledValue[]): string[] {
  return values.flatMap(({ value }) => (typeof value === 'number' ? [] : [value]));
}

function labelledValues(answer: Answer, fields: readonly InputField[]): LabelledValue[] {
  return fields.flatMap(({ name, label }) => {
    const value = Object.hasOwn(answer, name) ? answer[name] : undefined;
    return value === undefined ? [] : [{ label, value }];
  });
}
