import type {
  ActionsBlock,
  ContextActionsBlock,
  ContextBlock,
  ImageBlock,
  ImageElement,
  InputBlock,
  SectionBlock,
  TextObject,
} from '@slack/types';
import { useState } from 'react';
import { FeedbackButtonsView, IconButtonView } from '../elements/button.tsx';
import { ElementView } from '../elements/element.tsx';
import { type Control, useSurface } from '../elements/use-element.tsx';
import { type Directory, useDirectory } from '../state/directory.tsx';
import { textWithEmoji } from '../text/emoji.ts';
import { Fold } from '../text/fold.tsx';
import { mayBeLong } from '../text/folding.ts';
import { TextObjectView } from '../text/mrkdwn.tsx';
import { plainText } from '../text/plain-text.ts';

export function SectionView({ block }: { block: SectionBlock }) {
  const { key } = useSurface();
  const directory = useDirectory();
  const { accessory, block_id: blockId = '' } = block;
  const textId = `${key}-${blockId}-text`;
  return (
    <div className="section">
      <div className="section-body">
        {block.text && (
          <div id={textId}>
            <SectionText block={block} text={block.text} />
          </div>
        )}
        {block.fields && (
          <div className="fields">
            {block.fields.map((field, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
              <div key={index}>
                <TextObjectView text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory?.type === 'image' && <ImageView image={accessory} className="accessory-image" />}
      {accessory && accessory.type !== 'image' && (
        <ElementView
          element={accessory}
          blockId={blockId}
          control={{
            id: `${textId}-accessory`,
            label: accessoryName(block, directory),
            dispatches: true,
            isInvalid: false,
          }}
        />
      )}
    </div>
  );
}

/**
 * “If false or not provided, it may be rendered with a 'see more' option to expand and show the full text.”
 * https://docs.slack.dev/reference/block-kit/blocks/section-block
 */
function SectionText({ block, text }: { block: SectionBlock; text: TextObject }) {
  const content = <TextObjectView text={text} />;
  return block.expand === true || !mayBeLong(text.text) ? content : <Fold>{content}</Fold>;
}

/** The text beside an element is its accessible name. */
function accessoryName({ text }: SectionBlock, directory: Directory): string {
  if (!text) return 'Choice';
  return text.type === 'mrkdwn' ? plainText(text.text, directory) : text.text;
}

type AnyElement = (ActionsBlock | ContextActionsBlock)['elements'][number];

export function ActionsView({ block }: { block: ActionsBlock | ContextActionsBlock }) {
  const { key } = useSurface();
  const blockId = block.block_id ?? '';
  const elements: AnyElement[] = block.elements;
  return (
    <div className="actions">
      {elements.map((element, index) => {
        const id = `${key}-${blockId}-${element.action_id ?? index}`;
        const control = { id, label: elementName(element), dispatches: true, isInvalid: false };
        return <ActionElement key={id} element={element} blockId={blockId} control={control} />;
      })}
    </div>
  );
}

function ActionElement(props: { element: AnyElement; blockId: string; control: Control }) {
  const { element, ...shared } = props;
  if (element.type === 'icon_button') return <IconButtonView element={element} {...shared} />;
  if (element.type === 'feedback_buttons') return <FeedbackButtonsView element={element} {...shared} />;
  return <ElementView element={element} {...shared} />;
}

/** Elements in an actions block have no label, so the placeholder serves as the accessible name. */
function elementName(element: AnyElement): string {
  const placeholder = 'placeholder' in element ? element.placeholder?.text : undefined;
  return placeholder ?? NAMES[element.type] ?? element.type.replaceAll('_', ' ');
}

const NAMES: { [type: string]: string } = {
  checkboxes: 'Options',
  radio_buttons: 'Options',
  datepicker: 'Date',
  timepicker: 'Time',
  datetimepicker: 'Date and time',
};

export function ContextView({ block }: { block: ContextBlock }) {
  return (
    <div className="context">
      {block.elements.map((element, index) =>
        element.type === 'image' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements have no other identity
          <ImageView key={index} image={element} className="context-image" />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements have no other identity
          <div key={index}>
            <TextObjectView text={element} />
          </div>
        ),
      )}
    </div>
  );
}

/** An image, replaced by its alt text if it can't be loaded. */
export function ImageView({ image, className }: { image: ImageElement; className: string }) {
  const [isBroken, setBroken] = useState(false);
  const url = 'image_url' in image ? image.image_url : undefined;
  if (url === undefined || isBroken || !/^https?:/i.test(url))
    return <span className="image-missing">Image: {image.alt_text}</span>;
  return (
    <img
      className={className}
      src={url}
      alt={image.alt_text}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  );
}

export function ImageBlockView({ block }: { block: ImageBlock }) {
  return (
    <figure className="image-block">
      {block.title && <figcaption>{textWithEmoji(block.title)}</figcaption>}
      <ImageView image={block} className="block-image" />
    </figure>
  );
}

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
