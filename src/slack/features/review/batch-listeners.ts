// Listeners that approve several requests together, which a person has selected in the Home tab.
import type { ModalView } from '@slack/types';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { findRequest } from '../../../core/state/execution.ts';
import { within } from '../../directory/directory.ts';
import { showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { openWhileWaiting, showWhenReady } from '../../listening/modals.ts';
import { refusalWithoutRun } from '../../request/change-request.ts';
import { answerWithRefusal } from '../../request/refusal.ts';
import { parseBatch, type TickedRequest } from '../home/selection.ts';
import { withTicksOf } from '../home/show-again.ts';
import { readState } from '../home/state.ts';
import { approveBatch, type BatchOutcome, judgeTicked, whyLeftOut } from './batch.ts';
import {
  batchFailedModal,
  batchLoadingModal,
  batchModal,
  batchResultsModal,
  nothingTickedModal,
} from './batch-modals.ts';

/** Shows the selected requests. Changes nothing. */
export const onApproveSelected: ActionListener = async ({ ack, body, context, logger }) => {
  const click = clickOf(body);
  const say = await context.say();
  const { ticked } = withTicksOf(click, readState(click.home?.private_metadata));
  if (ticked.length === 0) {
    await ack();
    return showModal(context, click, nothingTickedModal(say));
  }
  const view = viewOf(context, ticked).catch((error: unknown) => {
    logger.warn({ err: error }, 'could not look up what a person has selected');
    return batchFailedModal(say);
  });
  const { triggerId } = click;
  await ack();
  const opened = await openWhileWaiting(context, { triggerId, loading: batchLoadingModal(say) }, view);
  await showWhenReady(context, { triggerId, modal: opened.modal }, opened.value);
};

async function viewOf(context: ListenerContext, ticked: readonly TickedRequest[]): Promise<ModalView> {
  const judged = await Promise.all(ticked.map((key) => judgeTicked(context, key)));
  const approvable = judged.filter((each) => each.kind === 'approvable');
  const leftOut = await Promise.all(
    judged
      .filter((each) => each.kind === 'left-out')
      .map(async ({ key, model, why }) => ({ model, why: await whyLeftOut(context, key, why) })),
  );
  const models = [...approvable, ...leftOut].map(({ model }) => model);
  const name = await context.namesOf(...models.flatMap((model) => [model?.starter, model?.edited?.by]));
  return batchModal({ approvable, leftOut, name }, await context.say());
}

/** Approves several requests. If the process dies or its answer gets lost, the person sends the form again: what was stored is approved. */
export const onApproveBatch: ViewListener = async ({ ack, context, view }) => {
  const keys = parseBatch(view.private_metadata);
  if (!keys) {
    const refusal = await refusalWithoutRun(context, context.person);
    return ack(await answerWithRefusal(context, view, { refusal, action: 'approve', typed: null }));
  }
  await ack({ response_action: 'update', view: await resultsOf(context, await approveBatch(context, keys)) });
};

async function resultsOf(context: ListenerContext, outcomes: readonly BatchOutcome[]): Promise<ModalView> {
  const say = await context.say();
  const reasons = await Promise.all(outcomes.map(async (each) => ({ each, ...(await reasonFor(context, each)) })));
  const approved = outcomes.filter((each) => each.kind === 'approved');
  const names = context.namesOf(...[...approved, ...reasons].map(({ model }) => model?.starter));
  const name = await within(MOST_WAIT_MS, names, { log: context.log, about: { by: context.person.id } });
  return batchResultsModal(
    {
      approved,
      name: name ?? ((starter) => starter.name),
      leftOut: reasons.filter(({ each }) => each.kind === 'left-out'),
      open: reasons.flatMap(({ each, ...rest }) =>
        each.kind === 'open' || each.kind === 'unclear' ? [{ key: each.key, ...rest }] : [],
      ),
    },
    say,
  );
}

/** Returns the request that isn't approved, and the reason. */
async function reasonFor(context: ListenerContext, outcome: BatchOutcome) {
  const { key } = outcome;
  const say = await context.say();
  switch (outcome.kind) {
    case 'approved':
      return { model: null, why: '' };
    case 'left-out': {
      const model = outcome.isNameable ? await modelOf(context, key) : null;
      return { model, why: await whyLeftOut(context, key, outcome.why) };
    }
    case 'open':
      return { model: await modelOf(context, key), why: say('batch.still-open') };
    case 'unclear':
      return { model: await modelOf(context, key), why: say('batch.unclear') };
  }
}

/** A recent state is good enough to name the request. */
const KNOWN_MS = 60_000;
const MOST_WAIT_MS = 300;

async function modelOf({ store, log }: ListenerContext, { ref, approvalId }: TickedRequest): Promise<CardModel | null> {
  const record = await within(MOST_WAIT_MS, store.load(ref, { mostAgeMs: KNOWN_MS }), { log, about: { ref } });
  const request = record && findRequest(record.execution, approvalId);
  return record && request ? cardModel(record.execution, request) : null;
}
