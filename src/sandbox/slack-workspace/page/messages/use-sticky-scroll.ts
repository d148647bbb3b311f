import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 48;

/**
 * Keeps a growing list scrolled to its end, unless the reader has scrolled up, and scrolls to the highlighted message.
 * Otherwise the browser's scroll anchoring keeps the position.
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
    const update = () => {
      const top = list.scrollHeight - list.clientHeight;
      const isNearEnd = top - list.scrollTop < NEAR_END_PX;
      if (isNearEnd) endTop = top;
      // Only scrolling up leaves the end: a list that has just grown isn't at its end yet, but is about to be.
      if (isNearEnd || list.scrollTop < endTop - NEAR_END_PX) isStuck.current = isNearEnd;
      setAtEnd(isStuck.current);
    };
    const follow = new ResizeObserver(() => {
      if (isStuck.current) toEnd();
      update();
    });
    follow.observe(content.current);
    follow.observe(list);
    list.addEventListener('scroll', update, { passive: true });
    return () => {
      follow.disconnect();
      list.removeEventListener('scroll', update);
    };
  }, [toEnd]);

  useEffect(() => {
    const message = highlightTs && content.current?.querySelector<HTMLElement>(`[data-ts="${highlightTs}"]`);
    if (!message) return;
    isStuck.current = false;
    message.scrollIntoView({ block: 'center' });
    message.focus({ preventScroll: true });
  }, [highlightTs]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message at the end counts as reaching it again
  useEffect(() => {
    if (isAtEnd) onReachEnd();
  }, [isAtEnd, latestTs, onReachEnd]);

  return { scroller, content, isAtEnd, toEnd };
}
