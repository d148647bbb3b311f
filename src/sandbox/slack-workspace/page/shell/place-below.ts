/** Below its opener, or above if there is no room, and always within the window. */
export function placeBelow(opener: HTMLElement, shown: HTMLElement): void {
  const at = opener.getBoundingClientRect();
  const { width, height } = shown.getBoundingClientRect();
  const fitsBelow = at.bottom + height + 8 < window.innerHeight;
  shown.style.top = `${fitsBelow ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`;
  shown.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
}
