import type { EmailInput, NumberInput, PlainTextInput, RichTextInput, URLInput } from '@slack/types';
import type { KeyboardEvent } from 'react';
import { textWithEmoji } from '../text/text-with-emoji.ts';
import { controlAttributes, type ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { useElement } from './use-element.ts';

type TextElement = PlainTextInput | NumberInput | EmailInput | URLInput | RichTextInput;

/** All text inputs. Rich text is entered as plain text. */
export function TextFieldView({ element, blockId, control }: ElementProps<TextElement>) {
  const state = useElement(element, blockId, control);
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const take = (value: string) => {
    const input = { kind: 'text', value } as const;
    if (triggers.includes('on_character_entered')) state.put(input);
    else state.hold(input);
  };
  const value = state.value?.kind === 'text' ? state.value.value : '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || !control.dispatches || !triggers.includes('on_enter_pressed'))
      return;
    event.preventDefault();
    state.put({ kind: 'text', value });
  };
  const attributes = {
    ...controlAttributes(control),
    className: 'field',
    placeholder: element.placeholder && textWithEmoji(element.placeholder),
    'data-focus-on-load': element.focus_on_load,
    value,
    onKeyDown,
    onChange: (event: { target: { value: string } }) => take(event.target.value),
  };
  const isLong = element.type === 'rich_text_input' || (element.type === 'plain_text_input' && element.multiline);
  return (
    <Frame state={state}>
      {isLong ? <textarea rows={4} {...attributes} /> : <input {...attributes} {...keyboardOf(element)} />}
    </Frame>
  );
}

/** No `type="number"`: it drops input that isn't a number, so validation errors would never show. */
function keyboardOf(element: TextElement) {
  switch (element.type) {
    case 'number_input':
      return { type: 'text', inputMode: element.is_decimal_allowed ? 'decimal' : 'numeric' } as const;
    case 'email_text_input':
      return { type: 'text', inputMode: 'email', autoComplete: 'off' } as const;
    case 'url_text_input':
      return { type: 'text', inputMode: 'url', autoComplete: 'off' } as const;
    case 'plain_text_input':
    case 'rich_text_input':
      return { type: 'text', autoComplete: 'off' } as const;
  }
}
