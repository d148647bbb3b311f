import type { KnownBlock } from '@slack/types';
import { button, context, section } from '../ui/blocks.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';

/** How much there is of everything, and what doesn't belong to one list. */
export function headBlocks({ waiting, others, inProgress }: HomeModel, { settings, say }: HomeDetails): KnownBlock[] {
  const rest = [
    ...(others.all === 0 ? [] : [say('home.others-count', { count: others.all })]),
    ...(inProgress === 0 ? [] : [say('home.runs-count', { count: inProgress })]),
  ].join(' · ');
  return [
    section([`*${say('home.count', { count: waiting.all })}*`, rest].filter(Boolean).join('\n')),
    context(settings),
    {
      type: 'actions',
      // Slack would name the block anew with each publication, and a click at that moment could be lost.
      block_id: 'home_head',
      elements: [
        button('start_crew', say('home.start'), { value: 'home', style: 'primary' }),
        button('home_settings', say('home.settings'), { value: 'home' }),
        button('home_search', say('home.search'), { value: 'home' }),
      ],
    },
  ];
}
