// The Home tab as a view, and the form to search it.
import type { ActionsBlock, HomeView, KnownBlock, ModalView, PlainTextOption, StaticSelect } from '@slack/types';
import { fingerprint } from '../../../core/values/text.ts';
import type { Say } from '../../language/say.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { button, context, divider, header, plain, section } from '../../ui/blocks.ts';
import { input, textInput } from '../../ui/inputs.ts';
import { OPTION_LIMIT, OPTIONS_PER_GROUP } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { lastDecisionBlock } from './last-decision.ts';
import { decidedBlocks, otherBlocks, runBlocks, waitingBlocks } from './lists.ts';
import type { HomeDetails, HomeModel } from './model.ts';
import { type HomeState, isFiltered, SEARCH_LIMIT, writeState } from './state.ts';

/** Returns the Home tab of one person. Empty lists are left out, except the first. */
export function homeView(model: HomeModel, details: HomeDetails): HomeView {
  const lists = [
    waitingBlocks,
    ...(model.others.all === 0 ? [] : [otherBlocks]),
    ...(model.runs.all === 0 ? [] : [runBlocks]),
    ...(model.decided.all === 0 ? [] : [decidedBlocks]),
  ];
  const blocks = [
    ...(model.last ? [lastDecisionBlock(model.last, details.say)] : []),
    ...headBlocks(model, details),
    ...filterBlocks(model, details),
    ...lists.flatMap((list, i) => [...(i === 0 ? [] : [divider()]), ...list(model, details)]),
  ];
  return homeOf(blocks, writeState(model.state));
}

function homeOf(blocks: KnownBlock[], metadata: string): HomeView {
  return { type: 'home', private_metadata: metadata, blocks };
}

/** Returns a Home that only says why it shows nothing. It carries the state for later. */
export function bareHome(why: 'elsewhere' | 'no-store' | 'who-are-you', say: Say, metadata: string): HomeView {
  return homeOf([section(say(`home.${why}`))], metadata);
}

/** Shows the numbers of everything, and the buttons that belong to no list. */
function headBlocks({ waiting, others, inProgress }: HomeModel, { settings, say }: HomeDetails): KnownBlock[] {
  const facts = [
    ...(others.all === 0 ? [] : [say('home.others-count', { count: others.all })]),
    ...(inProgress === 0 ? [] : [say('home.runs-count', { count: inProgress })]),
    settings,
  ].join(' · ');
  return [
    header(say('home.count', { count: waiting.all })),
    context(facts),
    {
      type: 'actions',
      // Slack gives a block without an id a new one with each publication, and a click at that moment could be lost.
      block_id: 'home_head',
      elements: [
        button('start_crew', say('start.title'), { value: 'home' }),
        button('home_settings', say('home.settings'), { value: 'home' }),
        button('home_search', say('home.search'), { value: 'home' }),
      ],
    },
  ];
}

/** Shows the filters and the search. A filter needs at least two options. */
function filterBlocks({ state, crews, channels }: HomeModel, { channelName, say }: HomeDetails): KnownBlock[] {
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
  const clear = isFiltered(state) ? button('home_clear', say('home.clear'), { value: 'home' }) : null;
  const elements = [crewFilter, channelFilter, clear].filter((each) => each !== null);
  // Choices in a block outlive an update, so another choice needs another block.
  const blockId = `filters:${fingerprint([state.crew, state.channel])}`;
  const row: ActionsBlock[] = elements.length === 0 ? [] : [{ type: 'actions', block_id: blockId, elements }];
  const words = escapedLine(state.words, SEARCH_LIMIT);
  return [...row, ...(words === '' ? [] : [context(say('home.searched', { words }))])];
}

/** Builds the select of a filter. The chosen option comes first, even if the lists have nothing of it any more. */
function filter(
  actionId: ActionId,
  { placeholder, chosen, options }: { placeholder: string; chosen: string | null; options: PlainTextOption[] },
): StaticSelect | null {
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

export const SEARCH_BLOCK = 'words';

/** Asks what to search the Home tab for. Without words, it shows everything again. */
export function searchModal(state: HomeState, say: Say): ModalView {
  return modal(say, {
    callbackId: 'search_home',
    title: say('home.search-title'),
    submit: say('home.search-submit'),
    metadata: writeState(state),
    blocks: [
      input(SEARCH_BLOCK, {
        optional: true,
        label: say('home.search-label'),
        hint: say('home.search-hint'),
        element: textInput(SEARCH_BLOCK, { max_length: SEARCH_LIMIT, focus_on_load: true, initial: state.words }),
      }),
    ],
  });
}
