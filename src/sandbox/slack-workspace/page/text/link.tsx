import type { MouseEvent, ReactNode } from 'react';
import { navigate } from '../state/navigate.ts';
import { routeFromPermalink } from '../state/route.ts';
import { isSafeUrl } from './parse-token.ts';

/** Permalinks into this workspace open in place. Unsafe URLs remain text. */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!isSafeUrl(href)) return <>{children}</>;
  const inside = routeFromPermalink(href, location.origin);
  if (!inside) {
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    );
  }
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    navigate(inside);
  };
  return (
    <a href={href} onClick={open}>
      {children}
    </a>
  );
}
