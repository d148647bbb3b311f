import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 48;

/**
 * Keeps a list at its end while it grows, unless somebody has scrolled up; brings the highlighted message into view.
 * Above the reader's place the browser's scroll anchoring does the rest.
 */
export function useStickyScroll(highlightTs: string | undefined, latestTs: string | undefined, onReachEnd: () => void) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  const isStuck = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list || !content.current) return;
    let endTop = 0;
    const note = () => {
      const top = list.scrollHeight - list.clientHeight;
      const isNearEnd = top - list.scrollTop < NEAR_END_PX;
      if (isNearEnd) endTop = top;
      // Only who scrolls up leaves the end. A list that has just grown is not at its end either, and is about to be.
      if (isNearEnd || list.scrollTop < endTop - NEAR_END_PX) isStuck.current = isNearEnd;
      setAtEnd(isStuck.current);
    };
    const follow = new ResizeObserver(() => {
      if (isStuck.current) toEnd();
      note();
    });
    follow.observe(content.current);
    follow.observe(list);
    list.addEventListener('scroll', note, { passive: true });
    return () => {
      follow.disconnect();
      list.removeEventListener('scroll', note);
    };
  }, [toEnd]);

  useEffect(() => {
    const message = highlightTs && content.current?.querySelector<HTMLElement>(`[data-ts="${highlightTs}"]`);
    if (!message) return;
    isStuck.current = false;
    message.scrollIntoView({ block: 'center' });
    message.focus({ preventScroll: true });
  }, [highlightTs]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message at the end is reached anew
  useEffect(() => {
    if (isAtEnd) onReachEnd();
  }, [isAtEnd, latestTs, onReachEnd]);

  return { scroller, content, isAtEnd, toEnd };
}
