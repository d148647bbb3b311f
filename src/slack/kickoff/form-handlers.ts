import type { ModalView } from '@slack/types';
import type { KickoffRefusal } from '../../core/execution/execution.ts';
import { tell, tellNoLongerKnown } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Ack, ActionListener } from '../interaction/listeners.ts';
import type { ModalKey } from '../interaction/modals.ts';
import { updateModal } from '../interaction/modals.ts';
import { type FormRequest, formView } from './form-view.ts';
import { parseKickoffMetadata } from './kickoff-metadata.ts';
import { showForm } from './show-form.ts';
import { startRefusalModal, startRefusalText } from './start-refusal-text.ts';
import { findOffered, whyUnknownTo } from './why-not-start.ts';

/** Shows the inputs of the crew that was picked. */
export const onPickCrew: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { view, value: crew } = click;
  const metadata = view && parseKickoffMetadata(view.private_metadata);
  if (!view || !metadata) return ack();
  await replaceForm(context, {
    ...{ ack, modal: { viewId: view.id, hash: view.hash } },
    request: { ...metadata, crew, values: {} },
  });
};

/** Asks the crew again which inputs it needs. */
export const onAskAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { view, value } = click;
  const metadata = parseKickoffMetadata(value);
  if (!view || !metadata) return ack();
  const request = { ...metadata, values: {} };
  await replaceForm(context, { ack, modal: { viewId: view.id }, request });
};

/** In the modal that was clicked. */
async function replaceForm(
  context: ListenerContext,
  { ack, modal, request }: { ack: Ack; modal: ModalKey; request: Omit<FormRequest, 'crews'> },
): Promise<void> {
  const offered = await findOffered(context, { ...request, by: context.person });
  await ack();
  const say = await context.say();
  const view: ModalView = offered.ok
    ? await formView(context, { ...request, crews: offered.value }, say)
    : startRefusalModal(offered.refusal, say);
  await updateModal(context, modal, view);
}

/** Opens the form of an earlier run, prefilled: to run it again, or to add what the crew said is missing. */
export const onRunAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const found = await context.store.load(click.value);
  if (!found) {
    const denial = await whyUnknownTo(context, context.person);
    await ack();
    if (!denial) return tellNoLongerKnown(context, click);
    const say = await context.say();
    const title = say('start.title.not-started');
    return tell(context, click, { title, text: startRefusalText({ crew: null, denial }, say) });
  }
  const { crew, channel, inputs: values, run, origin } = found.execution;
  const refused = run.status === 'not-started' && isAboutInputs(run.refusal) ? run.refusal : null;
  const attempt = click.view && origin.kind === 'form' ? origin.form.attempt + 1 : 0;
  await showForm(context, click, { ack, request: { crew, channel, attempt, values, refused } });
};

/** A refusal for another reason may have passed by now, so the form doesn't repeat it. */
function isAboutInputs({ code }: KickoffRefusal): boolean {
  return code === 'missing-inputs' || code === 'bad-request';
}
