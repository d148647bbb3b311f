import type { ImageBlock, ImageElement } from '@slack/types';
import { useState } from 'react';
import { textWithEmoji } from '../text/text-with-emoji.ts';

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
