import { type CSSProperties, type FocusEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { FOLDED_LINES, isTall } from './folding.ts';

const STYLE: CSSProperties = { '--folded-lines': FOLDED_LINES };

/** Long text folds behind “See more”. It opens, too, when something in its hidden part gets the focus. */
export function Fold({ children }: { children: ReactNode }) {
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const inner = content.current;
    if (!inner) return;
    const look = () => setLong(isTall(inner.offsetHeight, Number.parseFloat(getComputedStyle(inner).lineHeight)));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  const reveal = ({ target, currentTarget }: FocusEvent) => {
    if (target.getBoundingClientRect().bottom > currentTarget.getBoundingClientRect().bottom) setOpen(true);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside take the focus */}
      <div className="fold" id={id} style={STYLE} data-folded={isLong && !isOpen} onFocus={reveal}>
        <div ref={content}>{children}</div>
      </div>
      {isLong && (
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'See less' : 'See more'}
        </button>
      )}
    </>
  );
}
