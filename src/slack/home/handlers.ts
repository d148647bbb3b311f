import { showModal } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { OnClick, OnSubmit } from '../interaction/handlers.ts';
import { typedText } from '../ui/form-values.ts';
import { type HomeState, narrowed, readState, turned, WHOLE, writeState } from './home-state.ts';
import { parsePageValue } from './page-value.ts';
import { SEARCH_BLOCK, searchModal } from './search-modal.ts';

export const onFilterCrew: OnClick = lookAt((state, { value }) => narrowed(state, { crew: value }));

export const onFilterChannel: OnClick = lookAt((state, { value }) => narrowed(state, { channel: value }));

export const onShowEverything: OnClick = lookAt(() => WHOLE);

export const onTurnList: OnClick = lookAt((state, { value }) => {
  const to = parsePageValue(value);
  return to ? turned(state, to.list, to.page) : state;
});

/** Shows the Home of the person who clicked in another state. */
function lookAt(change: (state: HomeState, click: Click) => HomeState): OnClick {
  return async ({ home }, click, ack) => {
    await ack();
    await home.show(click.actor.person.id, click.home?.metadata ?? '', (metadata) =>
      writeState(change(readState(metadata), click)),
    );
  };
}

export const onOpenSearch: OnClick = async (context, click, ack) => {
  await ack();
  await showModal(context, click, searchModal(readState(click.home?.metadata), await context.say()));
};

export const onSearch: OnSubmit = async ({ home }, { view, actor }, ack) => {
  await ack({ kind: 'close' });
  const words = typedText(view.values, SEARCH_BLOCK).trim();
  await home.show(actor.person.id, view.metadata, (metadata) => writeState(narrowed(readState(metadata), { words })));
};

/** Slack keeps what is ticked until another button needs it. */
export const onTick: OnClick = async (_, __, ack) => ack();
