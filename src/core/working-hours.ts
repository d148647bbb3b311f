/** The hours of a week in which people work, in their time zone. */
export interface WorkingHours {
  /** As the crews file writes them: `Mon-Fri 09:00-17:00 Europe/Berlin`. */
  text: string;
  /** 1 for Monday to 7 for Sunday. */
  days: readonly number[];
  /** Minutes after midnight. */
  from: number;
  /** Minutes after midnight, later than `from`, at most 1,440. */
  to: number;
  /** An IANA time zone. */
  timeZone: string;
}

export function afterWorkingTime(start: number, durationMs: number, _hours: WorkingHours | null): number {
  return start + durationMs;
}
