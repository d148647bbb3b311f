/** What waits for a person, told hourly or daily. */
export const DIGEST = {
  'digest.waiting': '{count, plural, one {# request waits for you} other {# requests wait for you}}',
  'digest.waits': 'waits for {duration}',
  'digest.more': '{count, plural, one {and # more} other {and # more}}',
  'digest.open-home': 'Open Home',
  'digest.in-home': 'All of them are in the *Home* tab.',
} as const;
