import type { SectionBlock, TextObject } from '@slack/types';
import { ElementView } from '../elements/element.tsx';
import { useSurface } from '../elements/surface.tsx';
import { type Directory, useDirectory } from '../state/directory.tsx';
import { Fold } from '../text/fold.tsx';
import { mayBeLong } from '../text/folding.ts';
import { plainText } from '../text/plain-text.ts';
import { TextObjectView } from '../text/text-object.tsx';
import { ImageView } from './image.tsx';

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
            label: nameOf(block, directory),
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
  const shown = <TextObjectView text={text} />;
  return block.expand === true || !mayBeLong(text.text) ? shown : <Fold>{shown}</Fold>;
}

/** The text beside an element is its accessible name. */
function nameOf({ text }: SectionBlock, directory: Directory): string {
  if (!text) return 'Choice';
  return text.type === 'mrkdwn' ? plainText(text.text, directory) : text.text;
}
