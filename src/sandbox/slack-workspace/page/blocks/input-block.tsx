import type { InputBlock } from '@slack/types';
import { ElementView } from '../elements/element.tsx';
import { useSurface } from '../elements/surface.tsx';
import { textWithEmoji } from '../text/text-with-emoji.ts';

export function InputBlockView({ block }: { block: InputBlock }) {
  const { key, errors } = useSurface();
  const blockId = block.block_id ?? '';
  const id = `${key}-${blockId}`;
  const error = errors[blockId];
  const describedBy = [error !== undefined && `${id}-error`, block.hint && `${id}-hint`].filter(Boolean).join(' ');
  const isGroup = block.element.type === 'checkboxes' || block.element.type === 'radio_buttons';
  const label = (
    <>
      {textWithEmoji(block.label)}
      {block.optional && <span className="optional"> (optional)</span>}
    </>
  );
  const control = {
    id,
    describedBy: describedBy || undefined,
    dispatches: block.dispatch_action ?? false,
    isInvalid: error !== undefined,
    // A label element can't name a group of choices.
    ...(isGroup && { label: block.label.text }),
  };
  return (
    <div className={error === undefined ? 'input-block' : 'input-block input-block-wrong'}>
      {isGroup ? (
        <div className="input-label">{label}</div>
      ) : (
        <label className="input-label" htmlFor={id}>
          {label}
        </label>
      )}
      <ElementView element={block.element} blockId={blockId} control={control} />
      {error !== undefined && (
        <p className="input-error" id={`${id}-error`}>
          <span aria-hidden="true">⚠ </span>
          {error}
        </p>
      )}
      {block.hint && (
        <p className="input-hint" id={`${id}-hint`}>
          {textWithEmoji(block.hint)}
        </p>
      )}
    </div>
  );
}
