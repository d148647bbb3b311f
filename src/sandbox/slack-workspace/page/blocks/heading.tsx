import type { ReactNode } from 'react';
import { useSurface } from '../elements/use-element.tsx';

/** A heading of the app or in its texts. All levels of Markdown look alike, as a header block. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export function BlockHeading({ level, children }: { level?: number | undefined; children?: ReactNode }) {
  const { heading: Heading } = useSurface();
  return (
    <Heading className="header-block" data-level={level}>
      {children}
    </Heading>
  );
}
