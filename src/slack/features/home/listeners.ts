// Listeners for the Home tab: filters, search, pages and the selection of requests.
import { showModal } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { ActionListener, ViewListener } from '../../listening/context.ts';
import { typedText } from '../../ui/button-value.ts';
import { clearSelection, selectAllIn } from './selection.ts';
import { refreshHome, withTicksOf } from './show-again.ts';
import { type HomeState, listPage, readState, withFilters, writeState } from './state.ts';
import { SEARCH_BLOCK, searchModal } from './view.ts';

export const onFilterCrew: ActionListener = lookAt((state, { value }) => withFilters(state, { crew: value }));

export const onFilterChannel: ActionListener = lookAt((state, { value }) => withFilters(state, { channel: value }));

export const onShowEverything: ActionListener = lookAt((state) =>
  withFilters(state, { crew: null, channel: null, words: '' }),
);

export const onTurnList: ActionListener = lookAt((state, { value }) => {
  const to = listPage.read(value);
  return to ? { ...state, pages: { ...state.pages, [to.list]: to.page } } : state;
});

/** Changes no state, since every refresh reads which requests are selected: this one only shows their number. */
export const onTick: ActionListener = lookAt((state) => state);

export const onSelectPage: ActionListener = lookAt((state, { home }) => ({
  ...state,
  ...selectAllIn(home?.state.values ?? {}, state),
}));

export const onClearSelection: ActionListener = lookAt((state) => ({ ...state, ...clearSelection(state) }));

/** Returns a listener that shows the Home with a change of what the person looks at. */
function lookAt(change: (state: HomeState, click: Click) => HomeState): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    await ack();
    await refreshHome(context, click, (state) => change(state, click));
  };
}

export const onOpenSearch: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  await ack();
  const state = withTicksOf(click, readState(click.home?.private_metadata));
  await showModal(context, click, searchModal(state, await context.say()));
};

export const onSearch: ViewListener = async ({ ack, context, view }) => {
  await ack();
  const words = typedText(view.state.values, SEARCH_BLOCK).trim();
  await context.home.show(context.person.id, view.private_metadata, (metadata) =>
    writeState(withFilters(readState(metadata), { words })),
  );
};
