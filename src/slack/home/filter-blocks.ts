import type { ActionsBlock, KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { fingerprint } from '../../core/text.ts';
import type { ActionId } from '../ui/action-ids.ts';
import { button, context, plain } from '../ui/blocks.ts';
import { OPTION_LIMIT, OPTIONS_PER_GROUP } from '../ui/limits.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { HomeDetails } from './home-details.ts';
import type { HomeModel } from './home-model.ts';
import { isNarrowed, SEARCH_LIMIT } from './home-state.ts';

/** By what the lists can be narrowed, and by what they are. Nothing where there is only one of each. */
export function filterBlocks({ state, crews, channels }: HomeModel, { channelName, say }: HomeDetails): KnownBlock[] {
  const crewFilter = filter('home_crew', {
    placeholder: say('home.all-crews'),
    chosen: state.crew,
    options: crews.map((crew) => optionOf(crew, crew)),
  });
  const byChannel = channels.map((channel) => optionOf(`#${channelName(channel)}`, channel));
  const channelFilter = filter('home_channel', {
    placeholder: say('home.all-channels'),
    chosen: state.channel,
    options: byChannel.sort((one, other) => one.text.text.localeCompare(other.text.text)),
  });
  const clear = isNarrowed(state) ? button('home_clear', say('home.clear'), { value: 'home' }) : null;
  const elements = [crewFilter, channelFilter, clear].filter((each) => each !== null);
  // What people have chosen in a block outlives an update, so that another choice takes another block.
  const blockId = `filters:${fingerprint([state.crew, state.channel])}`;
  const row: ActionsBlock[] = elements.length === 0 ? [] : [{ type: 'actions', block_id: blockId, elements }];
  const words = escapedLine(state.words, SEARCH_LIMIT);
  return [...row, ...(words === '' ? [] : [context(say('home.searched', { words }))])];
}

interface Filter {
  placeholder: string;
  chosen: string | null;
  options: PlainTextOption[];
}

/** What is chosen comes first, also when nothing of it is left. */
function filter(actionId: ActionId, { placeholder, chosen, options }: Filter): StaticSelect | null {
  if (options.length < 2 && chosen === null) return null;
  const others = options.filter(({ value }) => value !== chosen);
  const choice = chosen === null ? null : (options.find(({ value }) => value === chosen) ?? optionOf(chosen, chosen));
  return {
    type: 'static_select',
    action_id: actionId,
    placeholder: plain(placeholder),
    options: [...(choice ? [choice] : []), ...others].slice(0, OPTIONS_PER_GROUP),
    ...(choice && { initial_option: choice }),
  };
}

function optionOf(name: string, value: string): PlainTextOption {
  return { text: plain(name, OPTION_LIMIT), value: value.slice(0, OPTION_LIMIT) };
}
