import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

const REACHABLE = { role: 'region', tabIndex: 0, 'aria-label': 'Content' };

/** What a modal shows between its title and its buttons. Where it scrolls, it can have the focus, so that keys scroll it. */
export function ModalBody({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const outer = body.current;
    if (!outer || !content.current) return;
    const look = new ResizeObserver(() => setScrolls(outer.scrollHeight > outer.clientHeight));
    look.observe(outer);
    look.observe(content.current);
    return () => look.disconnect();
  }, []);
  return (
    <div ref={body} className="modal-body" aria-busy={isBusy} {...(scrolls && REACHABLE)}>
      <div ref={content}>{children}</div>
    </div>
  );
}
