/** Line icons on a 16 × 16 grid: no icon font, nothing to load. */
const PATHS = {
  app: 'M8 2l6 6-6 6-6-6z',
  arrowDown: 'M8 2v12M3 9l5 5 5-5',
  auto: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 2v12M8 4a4 4 0 010 8',
  check: 'M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM5 8.2l2.1 2.1L11 6.2',
  chevron: 'M4 6l4 4 4-4',
  close: 'M3 3l10 10M13 3L3 13',
  dark: 'M13.5 9.5A6 6 0 016.5 2.5a6 6 0 107 7z',
  eye: 'M1.5 8s2.5-4.5 6.5-4.5S14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 100 4 2 2 0 000-4z',
  failed: 'M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM8 4.5v4.2M8 11.2v.3',
  file: 'M4 1.5h5l3.5 3.5v9.5h-8.5zM9 1.5V5h3.5M6 8.5h4M6 11h4',
  hash: 'M6 2L4.5 14M11.5 2L10 14M2.5 5.5h11.5M2 10.5h11.5',
  help: 'M5.5 6a2.5 2.5 0 115 0c0 1.7-2.5 2-2.5 4M8 12.5v.5',
  light: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  lock: 'M3.5 7h9v7h-9zM5.5 7V4.5a2.5 2.5 0 015 0V7',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  open: 'M6 3H3v10h10v-3M9 2.5h4.5V7M13 3L7.5 8.5',
  pending: 'M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13z',
  plus: 'M8 3v10M3 8h10',
  reply: 'M2.5 2.5h11v8H7l-3.5 3v-3h-1z',
  send: 'M2 2.5l12 5.5-12 5.5L4 8zM4 8h5',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.5 6.5v4.5M9.5 6.5v4.5',
  wire: 'M2 5.5h11M10 2.5l3 3-3 3M14 10.5H3M6 7.5l-3 3 3 3',
  workflow: 'M2 2.5h5v4H2zM9 9.5h5v4H9zM4.5 6.5v5H9',
} as const;

/** Decorative: the element around it has the accessible name. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} strokeWidth={name === 'more' ? 2.5 : 1.5} />
    </svg>
  );
}
