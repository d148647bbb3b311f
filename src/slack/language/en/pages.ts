/** The pages of long texts in modals. */
export const PAGES = {
  'page.of': 'Page {page, number} of {count, number}',
  'page.previous': 'Previous',
  'page.next': 'Next',
} as const;
