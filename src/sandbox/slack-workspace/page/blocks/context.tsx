import type { ContextBlock } from '@slack/types';
import { TextObjectView } from '../text/text-object.tsx';
import { ImageView } from './image.tsx';

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
