import type { Post } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { Recipient } from './recipient.ts';

/** The direct messages to those who should decide. They are listed once the card is there, which they link to. */
export type DirectMessages =
  /** It is to be found out who else gets one. */
  | { status: 'due'; tries: number; notBefore: Millis; list: readonly DirectMessage[] }
  | { status: 'listed'; list: readonly DirectMessage[] };

/** A direct message to one person. */
export interface DirectMessage extends Recipient {
  /** The id of the conversation that it was posted in; null until then, and where an earlier version has posted it. */
  channel: string | null;
  post: Post;
}
