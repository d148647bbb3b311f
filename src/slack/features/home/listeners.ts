// What people do in the Home tab.

import { showModal } from '../../app/answers.ts';
import { type Click, clickOf } from '../../app/click.ts';
import type { ActionListener, ViewListener } from '../../app/context.ts';
import { typedText } from '../../ui/button-value.ts';
import { type HomeState, narrowed, parsePageValue, readState, turned, WHOLE, writeState } from './state.ts';
import { SEARCH_BLOCK, searchModal } from './view.ts';

export const onFilterCrew: ActionListener = lookAt((state, { value }) => narrowed(state, { crew: value }));

export const onFilterChannel: ActionListener = lookAt((state, { value }) => narrowed(state, { channel: value }));

export const onShowEverything: ActionListener = lookAt(() => WHOLE);

export const onTurnList: ActionListener = lookAt((state, { value }) => {
  const to = parsePageValue(value);
  return to ? turned(state, to.list, to.page) : state;
});

/** Shows the Home of the person who clicked in another state. */
function lookAt(change: (state: HomeState, click: Click) => HomeState): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    await ack();
    await context.home.show(context.person.id, click.home?.private_metadata ?? '', (metadata) =>
      writeState(change(readState(metadata), click)),
    );
  };
}

export const onOpenSearch: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  await ack();
  await showModal(context, click, searchModal(readState(click.home?.private_metadata), await context.say()));
};

export const onSearch: ViewListener = async ({ ack, context, view }) => {
  await ack();
  const words = typedText(view.state.values, SEARCH_BLOCK).trim();
  await context.home.show(context.person.id, view.private_metadata, (metadata) =>
    writeState(narrowed(readState(metadata), { words })),
  );
};

/** Slack keeps what is ticked until another button needs it. */
export const onTick: ActionListener = ({ ack }) => ack();
