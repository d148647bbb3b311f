// The fields of our forms: each is alone in its block, by whose id `typedText` reads it.
import type { InputBlock, InputBlockElement, PlainTextInput } from '@slack/types';
import { plain } from './blocks.ts';
import { HINT_LIMIT } from './limits.ts';

interface Field {
  label: string;
  hint?: string;
  element: InputBlockElement;
  optional?: boolean;
}

export function input(blockId: string, { label, hint, ...field }: Field): InputBlock {
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label),
    ...(hint && { hint: plain(hint, HINT_LIMIT) }),
    ...field,
  };
}

type TextOptions = Pick<PlainTextInput, 'multiline' | 'focus_on_load' | 'max_length'> & {
  /** What the field holds already. */
  initial?: string;
};

export function textInput(actionId: string, { initial = '', ...options }: TextOptions): PlainTextInput {
  return {
    type: 'plain_text_input',
    action_id: actionId,
    ...options,
    ...(initial !== '' && { initial_value: initial }),
  };
}
