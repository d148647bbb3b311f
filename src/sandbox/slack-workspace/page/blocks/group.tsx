import type { CSSProperties, ReactNode } from 'react';

type Props = { label: string; className: string; style?: CSSProperties; scrolls?: true; children: ReactNode };

/**
 * Shows blocks that belong together under a name. The same message may be there twice, in the channel and in its thread: a landmark's name
 * would have to be its own. What scrolls can have the focus, so that keys scroll it.
 */
export function Group({ label, className, style, scrolls, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" className={className} style={style} aria-label={label} tabIndex={scrolls && 0}>
      {children}
    </div>
  );
}

/** Around a table that may be wider than its place. */
export function TableScroll({ label, children }: Pick<Props, 'label' | 'children'>) {
  return (
    <Group label={label} className="table-scroll" scrolls>
      {children}
    </Group>
  );
}
