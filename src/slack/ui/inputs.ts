// Builds the fields of our forms. Each is alone in its block, by whose id `typedText` reads it.
import type {
  Checkboxes,
  InputBlock,
  InputBlockElement,
  PlainTextInput,
  PlainTextOption,
  StaticSelect,
} from '@slack/types';
import { grouped, plain } from './blocks.ts';
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

export function select(actionId: string, options: PlainTextOption[], initial?: PlainTextOption | null): StaticSelect {
  return {
    type: 'static_select',
    action_id: actionId,
    ...grouped(options),
    ...(initial && { initial_option: initial }),
  };
}

export function checkbox(actionId: string, option: PlainTextOption, isTicked = false): Checkboxes {
  return { type: 'checkboxes', action_id: actionId, options: [option], ...(isTicked && { initial_options: [option] }) };
}

type TextOptions = Pick<PlainTextInput, 'multiline' | 'focus_on_load' | 'max_length'> & {
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
