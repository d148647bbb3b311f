import type { ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { plain } from '../ui/blocks.ts';
import { HINT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { type HomeState, SEARCH_LIMIT, writeState } from './home-state.ts';

export const SEARCH_BLOCK = 'words';

/** Asks what to search the Home tab for; without words, it shows all again. */
export function searchModal(state: HomeState, say: Say): ModalView {
  return modal({
    callbackId: 'search_home',
    title: say('home.search-title'),
    submit: say('home.search-submit'),
    close: say('home.search-cancel'),
    metadata: writeState(state),
    blocks: [
      {
        type: 'input',
        block_id: SEARCH_BLOCK,
        optional: true,
        label: plain(say('home.search-label')),
        hint: plain(say('home.search-hint'), HINT_LIMIT),
        element: {
          type: 'plain_text_input',
          action_id: SEARCH_BLOCK,
          max_length: SEARCH_LIMIT,
          focus_on_load: true,
          ...(state.words !== '' && { initial_value: state.words }),
        },
      },
    ],
  });
}
