import type { KnownBlock } from '@slack/types';
import type { MessageKey } from '../language/catalogues.ts';
import type { Say } from '../language/say.ts';
import { context } from '../ui/blocks.ts';
import { pageTurning } from '../ui/modal.ts';
import type { HomePage } from './home-model.ts';
import { type HomeState, isNarrowed, type ListName } from './home-state.ts';
import { pageValue } from './page-value.ts';

type EmptyKey = Extract<MessageKey, `home.nothing-${string}`>;

/** What would be here, or that the filters leave nothing; nothing for a list that shows something. */
export function emptyBlocks(
  { all, found }: HomePage<unknown>,
  { state, empty, say }: { state: HomeState; empty: EmptyKey; say: Say },
): KnownBlock[] {
  if (found > 0) return [];
  return [context(all > 0 && isNarrowed(state) ? say('home.none-found', { count: all }) : say(empty))];
}

/** The page and how many there are in all, with the buttons that lead to those before and after it. */
export function turningBlocks({ at, count }: HomePage<unknown>, list: ListName, say: Say): KnownBlock[] {
  return pageTurning(say, {
    ...{ at, count, previous: 'home_previous', next: 'home_next' },
    valueFor: (page) => pageValue({ list, page }),
  });
}
