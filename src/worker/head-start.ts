/**
 * How long a changed execution is left to the process that changed it. Long enough to start a call, too short to be felt.
 */
export const HEAD_START_MS = 300;
