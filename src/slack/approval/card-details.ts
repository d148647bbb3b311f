import type { Rendering } from '../../core/messages/rendering.ts';
import type { Change } from '../compare/change.ts';
import type { EditsMade } from '../edit/edits-made.ts';
import type { Say } from '../language/say.ts';
import type { Mention } from '../ui/mentions.ts';
import type { NameOf } from '../ui/person.ts';
import type { Deciders } from './who-decides.ts';

/** What a card shows besides its model. */
export interface CardDetails {
  /** The whole output; null if it is no longer stored. */
  output: string | null;
  /** How many characters of it the card shows: with all else on it below `MESSAGE_BLOCKS_TEXT_LIMIT`. */
  preview: number;
  notes: 'offered' | 'hidden';
  /** Null while that isn't known, as the crew isn't configured. */
  deciders: Deciders | null;
  /** Whom an open card mentions; by default nobody. */
  mentions?: readonly Mention[];
  /** How many of the edits that were asked for the output has; by default there were none. */
  editsMade?: EditsMade | null;
  name: NameOf;
  rendering: Rendering;
  /** Null for a first round, and for a request that needs no decision any more. */
  lastRound?: LastRound | null;
  say: Say;
}

/** The text of the round before, and what became of it. */
export interface LastRound {
  /** The hashes of the two texts. */
  before: string;
  after: string;
  /** Null if one of the texts is no longer stored. */
  change: Change | null;
  /** The latest round before that had exactly the same text. */
  sameAs: number | null;
}
