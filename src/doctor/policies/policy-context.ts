import type { Directory } from '../../core/ports.ts';
import type { Identity } from '../../slack/api/identity.ts';
import type { LookUps } from '../../slack/directory/look-ups.ts';

/** What the checks of one crew's policies work with. */
export interface PolicyContext {
  lookUps: LookUps;
  directory: Directory;
  identity: Identity;
  /** The id of the crew's own channel, if its members have a say; null if it has none, or Slack doesn't say. */
  channel: string | null;
}
