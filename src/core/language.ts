export const LANGUAGES = ['en', 'de'] as const;

/** A language that Signoff speaks in Slack, as an ISO 639 code. */
export type Language = (typeof LANGUAGES)[number];
