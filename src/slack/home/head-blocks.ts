import type { KnownBlock } from '@slack/types';
import { button, buttons, section } from '../ui/blocks.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';

/** How much there is of everything, and what doesn't belong to one list. */
export function headBlocks({ waiting, others, inProgress }: HomeModel, { say }: HomeDetails): KnownBlock[] {
  const rest = [say('home.others-count', { count: others.all }), say('home.runs-count', { count: inProgress })];
  return [
    section(`*${say('home.count', { count: waiting.all })}*\n${rest.join(' · ')}`),
    ...buttons(
      button('start_crew', say('home.start'), { value: 'home', style: 'primary' }),
      button('home_search', say('home.search'), { value: 'home' }),
    ),
  ];
}
