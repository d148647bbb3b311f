/** Who gets a direct message, and why: their own setting, which may change before it is posted, or what others chose. */
export interface Recipient {
  /** The id of the person. */
  to: string;
  reason: 'policy' | 'handed-over' | 'setting';
}

/** Who gets one as far as Slack can tell. `isComplete`: there is nobody of whom it can't tell. */
export interface Recipients {
  people: readonly Recipient[];
  isComplete: boolean;
}
