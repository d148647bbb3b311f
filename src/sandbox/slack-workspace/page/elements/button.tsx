import type { Button, FeedbackButtons, IconButton, WorkflowButton } from '@slack/types';
import { Icon } from '../shell/icon.tsx';
import { TextWithEmoji } from '../text/emoji.tsx';
import { isSafeUrl } from '../text/parse-token.ts';
import type { ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { useElement } from './use-element.ts';

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
        <TextWithEmoji text={element.text.text} />
        {url !== undefined && <Icon name="open" />}
      </button>
    </Frame>
  );
}

/** Shows the text instead of the icon, as Slack's icon set is not available. */
export function IconButtonView({ element, blockId, control }: ElementProps<IconButton>) {
  const state = useElement(element, blockId, { ...control, dispatches: true });
  return (
    <Frame state={state}>
      <button
        type="button"
        className="button button-quiet"
        aria-label={element.accessibility_label}
        aria-busy={state.isBusy}
        onClick={() => !state.isBusy && state.put({ kind: 'press' })}
      >
        <TextWithEmoji text={element.text.text} />
      </button>
    </Frame>
  );
}

export function FeedbackButtonsView({ element, blockId, control }: ElementProps<FeedbackButtons>) {
  const state = useElement(element, blockId, { ...control, dispatches: true });
  return (
    <Frame state={state}>
      {[element.positive_button, element.negative_button].map((button) => (
        <button
          key={button.value}
          type="button"
          className="button button-quiet"
          aria-label={button.accessibility_label}
          onClick={() => state.put({ kind: 'press', value: button.value })}
        >
          <TextWithEmoji text={button.text.text} />
        </button>
      ))}
    </Frame>
  );
}
