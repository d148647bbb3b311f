const KEY = 'people';

/** Several people in one window, from its address: `?people=U1,U2`. */
export function peopleInAddress(): string[] {
  return new URLSearchParams(location.search).get(KEY)?.split(',').filter(Boolean) ?? [];
}

/** Shows these people in this window, all at the place where it is. */
export function showSideBySide(ids: readonly string[]): void {
  const [only = '', ...others] = ids;
  const query = others.length === 0 ? `as=${only}` : `${KEY}=${ids.join(',')}`;
  location.assign(`/?${query}${location.hash}`);
}

/** Whether this page is one of several in a window. */
export const isBeside: boolean = window.parent !== window;
