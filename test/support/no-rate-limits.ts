import type { Rates } from '../../src/slack/api/rate-limiter.ts';

const UNLIMITED = { everyMs: 1, burst: 1_000 };

/** The rates of a workspace that takes calls as fast as they come. */
export const NO_RATE_LIMITS: Rates = {
  posting: UNLIMITED,
  updating: UNLIMITED,
  publishing: UNLIMITED,
  statuses: UNLIMITED,
  userGroups: UNLIMITED,
};
