import type { Post } from '../messages/post.ts';
import type { Millis } from '../time.ts';

/** The direct messages to those who should decide. They are listed once the card is there, which they link to. */
export type DirectMessages =
  | { status: 'due'; tries: number; notBefore: Millis }
  | { status: 'listed'; list: DirectMessage[] };

/** A direct message to one person. */
export interface DirectMessage {
  /** The id of the person. */
  to: string;
  /** The id of the conversation that it was posted in; null until then, and where an earlier version has posted it. */
  channel: string | null;
  post: Post;
}
