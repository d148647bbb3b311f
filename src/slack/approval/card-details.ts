import type { Rendering } from '../../core/messages/rendering.ts';
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
  deciders: Deciders;
  /** Whom an open card mentions; by default nobody. */
  mentions?: readonly Mention[];
  name: NameOf;
  rendering: Rendering;
  say: Say;
}
