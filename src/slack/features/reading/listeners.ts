// Opens a whole text, and turns its pages.

import { showModal, tellNoLongerKnown } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { Ack, ActionListener, ListenerContext } from '../../listening/context.ts';
import { modalAsSeen, updateModal } from '../../listening/modals.ts';
import { whyNotAttached } from '../../request/attached-file.ts';
import { parseTextValue, type TextKey } from '../../ui/button-value.ts';
import { jumpedTo } from '../../ui/text-page.ts';
import { findAboutText, readAllModal, readPage } from './modal.ts';

export const onReadAll: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseTextValue(click.value);
  const shown = key && (await pageOf(context, { ...key, page: 0 }));
  await ack();
  if (!shown) return tellNoLongerKnown(context, click);
  await showModal(context, click, shown);
};

export const onTurnPage: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  return turn(context, { click, ack, to: readPage.read(click.value) });
};

export const onJump: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseTextValue(click.view?.private_metadata);
  return turn(context, { click, ack, to: key && { ...key, page: jumpedTo(click.value) } });
};

type Wanted = TextKey & { page: number };

async function turn(
  context: ListenerContext,
  { click: { view }, ack, to }: { click: Click; ack: Ack; to: Wanted | null },
): Promise<void> {
  const shown = to && (await pageOf(context, to));
  await ack();
  if (shown && view) await updateModal(context, modalAsSeen(view), shown);
}

async function pageOf(context: ListenerContext, { page, ...key }: Wanted) {
  const [text, about, say] = await Promise.all([
    context.outputs.get(key.ref, key.hash),
    findAboutText(context, key),
    context.say(),
  ]);
  const unattached = key.rest === 'attached' ? await whyNotAttached(context, key, text) : null;
  return readAllModal({ key, text, page, about, unattached }, say);
}
