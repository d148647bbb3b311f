import type { OpenRequest } from '../../core/inbox/snapshot.ts';
import type { Say } from '../language/say.ts';
import type { NameOf } from '../ui/person.ts';

/** What the Home tab shows besides its model. */
export interface HomeDetails {
  /** The id of the person whose Home it is. */
  personId: string;
  /** The text that a request asks about; null if it is no longer stored, undefined if it isn't to be shown. */
  textOf: (request: OpenRequest) => string | null | undefined;
  /** How many people have to approve a request. */
  quorumOf: (request: OpenRequest) => number;
  name: NameOf;
  /** How the person is told of what waits, on one line. Escaped mrkdwn. */
  settings: string;
  /** Of a channel, without #; its id if Slack doesn't tell. */
  channelName: (channel: string) => string;
  /** The address of a message; null if it isn't posted. */
  linkTo: (channel: string, ts: string | null, threadTs: string | null) => string | null;
  say: Say;
}
