import type { Button, FeedbackButtons, IconButton, Overflow, WorkflowButton } from '@slack/types';
import { Icon } from '../shell/icon.tsx';
import { Menu } from '../shell/menu.tsx';
import { textWithEmoji } from '../text/emoji.ts';
import { TextWithEmoji } from '../text/mrkdwn.tsx';
import { isSafeUrl } from '../text/parse-mrkdwn.ts';
import { type ElementProps, Frame, useElement } from './use-element.tsx';

/** A button with a `url` opens it and also notifies the app. */
export function ButtonView({ element, blockId, control }: ElementProps<Button | WorkflowButton>) {
  const state = useElement(element, blockId, { ...control, dispatches: true });
  const url = 'url' in element ? element.url : undefined;
  const press = () => {
    if (url !== undefined && isSafeUrl(url)) window.open(url, '_blank', 'noreferrer,noopener');
    state.put({ kind: 'press' });
  };
  return (
    <Frame state={state}>
      <button
        type="button"
        className={element.style ? `button button-${element.style}` : 'button'}
        aria-label={element.accessibility_label}
        aria-busy={state.isBusy}
        disabled={state.isFrozen}
        onClick={() => !state.isBusy && press()}
      >
        <TextWithEmoji text={element.text} />
        {url !== undefined && <Icon name="open" />}
      </button>
    </Frame>
  );
}

/** The only icon is a bin; its text is the tooltip. https://docs.slack.dev/reference/block-kit/block-elements/icon-button-element */
export function IconButtonView({ element, blockId, control }: ElementProps<IconButton>) {
  const state = useElement(element, blockId, { ...control, dispatches: true });
  const text = textWithEmoji(element.text);
  return (
    <Frame state={state}>
      <button
        type="button"
        className="button button-icon"
        title={text}
        aria-label={element.accessibility_label ?? text}
        aria-busy={state.isBusy}
        onClick={() => !state.isBusy && state.put({ kind: 'press' })}
      >
        <Icon name="trash" />
      </button>
    </Frame>
  );
}

export function FeedbackButtonsView({ element, blockId, control }: ElementProps<FeedbackButtons>) {
  const state = useElement(element, blockId, { ...control, dispatches: true });
  return (
    <Frame state={state}>
      <fieldset className="feedback-buttons" aria-label="Feedback">
        {[element.positive_button, element.negative_button].map(({ text, value, accessibility_label }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: both may have the same value
            key={index}
            type="button"
            className="button button-quiet"
            aria-label={accessibility_label}
            aria-busy={state.isBusy}
            onClick={() => !state.isBusy && state.put({ kind: 'press', value })}
          >
            <TextWithEmoji text={text} />
          </button>
        ))}
      </fieldset>
    </Frame>
  );
}

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
