import { useEffect, useState } from 'react';
import type { Route } from '../state/route.ts';

/** On a phone the channel list covers the page: it takes the focus, and navigating closes it. */
export function useSidebar({ place, threadTs }: Route): { isOpen: boolean; open(): void; close(): void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) document.querySelector<HTMLElement>('.sidebar [aria-current="page"], .sidebar a')?.focus();
  }, [isOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: any navigation closes it
  useEffect(() => setOpen(false), [place, threadTs]);
  const close = () => {
    if (!isOpen) return;
    setOpen(false);
    document.querySelector<HTMLElement>('.only-phone')?.focus();
  };
  return { isOpen, open: () => setOpen(true), close };
}
