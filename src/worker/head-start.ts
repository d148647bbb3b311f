/**
 * How long a changed execution is left to the process that changed it. Long enough to start a call, too short for a person to
 * alert.
 */
export const HEAD_START_MS = 300;
