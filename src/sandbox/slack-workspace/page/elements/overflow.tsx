import type { Overflow } from '@slack/types';
import { Icon } from '../shell/icon.tsx';
import { Menu } from '../shell/menu.tsx';
import { isSafeUrl } from '../text/parse-token.ts';
import { textWithEmoji } from '../text/text-with-emoji.ts';
import type { ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { useElement } from './use-element.ts';

export function OverflowView({ element, blockId, control }: ElementProps<Overflow>) {
  const state = useElement(element, blockId, { ...control, dispatches: true });
  const items = element.options.map((option) => ({
    key: option.value ?? option.text.text,
    label: textWithEmoji(option.text),
    note: option.description && textWithEmoji(option.description),
    choose: () => {
      if (option.url !== undefined && isSafeUrl(option.url)) window.open(option.url, '_blank', 'noreferrer,noopener');
      state.put({ kind: 'options', values: [option.value ?? ''] });
    },
  }));
  return (
    <Frame state={state}>
      <Menu label="More actions" buttonClass="button button-icon" items={items}>
        <Icon name="more" />
      </Menu>
    </Frame>
  );
}
