import type { Confirm } from '@slack/types';
import { useId } from 'react';
import { Dialog } from '../shell/dialog.tsx';
import { TextObjectView } from '../text/text-object.tsx';
import { textWithEmoji } from '../text/text-with-emoji.ts';

type Props = { confirm: Confirm; agree(): void; decline(): void };

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
export function ConfirmDialog({ confirm, agree, decline }: Props) {
  const titleId = useId();
  return (
    <Dialog className="confirm" labelledBy={titleId} onClose={decline}>
      <h2 id={titleId}>{textWithEmoji(confirm.title ?? { text: 'Are you sure?' })}</h2>
      <div className="confirm-text">
        <TextObjectView text={confirm.text} />
      </div>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={decline}>
          {textWithEmoji(confirm.deny ?? { text: 'Cancel' })}
        </button>
        <button type="button" className={`button button-${confirm.style ?? 'primary'}`} onClick={agree}>
          {textWithEmoji(confirm.confirm ?? { text: 'Yes' })}
        </button>
      </footer>
    </Dialog>
  );
}
