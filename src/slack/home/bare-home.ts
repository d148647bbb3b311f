import type { HomeView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { section } from '../ui/blocks.ts';
import { homeOf } from './home-view.ts';

/** A Home that shows nothing of what it usually does, and says why. What the person looked at is kept for later. */
export function bareHome(why: 'elsewhere' | 'no-store' | 'who-are-you', say: Say, metadata: string): HomeView {
  return homeOf([section(say(`home.${why}`))], metadata);
}
