/** How those who should decide hear of a card: mentioned on it, by a direct message, or not at all. */
export const NOTIFY = ['mention', 'dm', 'none'] as const;

export type Notify = (typeof NOTIFY)[number];
