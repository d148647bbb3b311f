import type { ActionsBlockElement, InputBlockElement, SectionBlockAccessory } from '@slack/types';
import { ButtonView, OverflowView } from './button.tsx';
import { ChoiceView, FileInputView, InstantView, MomentView, TextFieldView } from './fields.tsx';
import { MultiSelectView, SelectView } from './select.tsx';
import type { Control } from './use-element.tsx';

type InteractiveElement = Exclude<ActionsBlockElement | InputBlockElement | SectionBlockAccessory, { type: 'image' }>;

type Props = { element: InteractiveElement; blockId: string; control: Control };

export function ElementView({ element, blockId, control }: Props) {
  const shared = { blockId, control };
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return <ButtonView element={element} {...shared} />;
    case 'overflow':
      return <OverflowView element={element} {...shared} />;
    case 'static_select':
    case 'users_select':
    case 'conversations_select':
    case 'channels_select':
    case 'external_select':
      return <SelectView element={element} {...shared} />;
    case 'multi_static_select':
    case 'multi_users_select':
    case 'multi_conversations_select':
    case 'multi_channels_select':
    case 'multi_external_select':
      return <MultiSelectView element={element} {...shared} />;
    case 'checkboxes':
    case 'radio_buttons':
      return <ChoiceView element={element} {...shared} />;
    case 'datepicker':
    case 'timepicker':
      return <MomentView element={element} {...shared} />;
    case 'datetimepicker':
      return <InstantView element={element} {...shared} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'rich_text_input':
      return <TextFieldView element={element} {...shared} />;
    case 'file_input':
      return <FileInputView element={element} {...shared} />;
  }
}
