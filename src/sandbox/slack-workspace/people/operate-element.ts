import { type HeldElement, heldElements, messageBlocks } from '../block-kit/interactive.ts';
import { checkInput } from '../inputs/check-input.ts';
import { inputKind, isStateful } from '../inputs/element-kind.ts';
import { sendBlockAction } from '../interactions/block-actions.ts';
import { problem } from '../interactions/problem.ts';
import { type JsonObject, objectsAt, stringAt } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';
import type { ActionOutcome, ElementInput, ElementPlace, PersonAction, ViewInputs } from '../person-actions.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { blocksOf, findView, modalStack } from '../state/views.ts';
import type { StoredMessage, StoredView } from '../state/workspace-state.ts';
import { areOffered } from './offered.ts';
import { visibleMessage } from './visible.ts';

type Use = Extract<PersonAction, { type: 'use' }>;
type Place = { message: StoredMessage } | { view: StoredView };

/** Uses an element as a person would: it must be visible and accept the input. */
export async function operateElement(workspace: Workspace, userId: string, use: Use): Promise<ActionOutcome> {
  const place = visiblePlace(workspace, userId, use.place);
  if (!place) return problem('not_visible', 'That isn’t on the screen any more.', 'toast');
  const blocks = 'message' in place ? messageBlocks(place.message) : blocksOf(place.view);
  const match = heldElements(blocks).find(
    ({ block, element }) => block.block_id === use.blockId && element.action_id === use.actionId,
  );
  if (!match || !isShownTo(match.element, userId))
    return problem('not_visible', 'That isn’t on the screen any more.', 'toast');
  const refusal = refuse(match, use) ?? refuseIds(workspace, userId, match, use);
  if (refusal) return refusal;
  if ('view' in place && use.inputs) keepInputs(workspace, place.view, use.inputs);
  if (isStateful(match.element)) store(place, userId, use);
  workspace.touch();
  return dispatches(match) ? sendBlockAction(workspace, { ...match, userId, input: use.input, place }) : { ok: true };
}

function refuse(element: HeldElement, use: Use): ActionOutcome | undefined {
  if (inputKind(element.element) === undefined)
    return problem('not_interactive', 'There is nothing to use here.', 'element');
  const wrong = checkInput(element.element, use.input);
  if (wrong) return problem('invalid_input', wrong, 'element');
  if ('confirm' in element.element && use.confirmed !== true)
    return problem('needs_confirmation', 'This asks to be confirmed first.', 'element');
  return undefined;
}

function refuseIds(workspace: Workspace, userId: string, element: HeldElement, use: Use): ActionOutcome | undefined {
  const isSound = areOffered(workspace, { userId, element: element.element, input: use.input });
  return isSound ? undefined : problem('invalid_input', 'That can’t be chosen here.', 'element');
}

/** Input blocks notify the app only with `dispatch_action`; other blocks always do. */
function dispatches({ block }: HeldElement): boolean {
  return block.type !== 'input' || block.dispatch_action === true;
}

/** Only the top modal can be used. */
function visiblePlace(workspace: Workspace, userId: string, place: ElementPlace): Place | undefined {
  if (place.in === 'message') {
    const message = visibleMessage(workspace.state, userId, place.channel, place.ts);
    return message && { message };
  }
  const view = findView(workspace.state, { viewId: place.viewId });
  if (!view || view.userId !== userId || view.isSubmitting) return undefined;
  const usable = view.kind === 'home' || modalStack(workspace.state, userId).at(-1) === view;
  return usable ? { view } : undefined;
}

function store(place: Place, userId: string, use: Use): void {
  const inputs = 'message' in place ? (place.message.inputs[userId] ?? {}) : place.view.inputs;
  inputs[use.blockId] = { ...inputs[use.blockId], [use.actionId]: use.input };
  if ('message' in place) place.message.inputs[userId] = inputs;
}

/** Saves typed values. Values for elements the view no longer has, or that can't be chosen, are dropped. */
export function keepInputs(workspace: Workspace, view: StoredView, inputs: ViewInputs): void {
  for (const { block, element } of heldElements(blocksOf(view))) {
    const blockId = stringAt(block, 'block_id') ?? '';
    const actionId = stringAt(element, 'action_id') ?? '';
    const input: ElementInput | undefined = inputs[blockId]?.[actionId];
    if (!input || input.kind !== inputKind(element) || !isStateful(element)) continue;
    if (!areOffered(workspace, { userId: view.userId, element, input })) continue;
    view.inputs[blockId] = { ...view.inputs[blockId], [actionId]: input };
  }
}

/** Icon buttons may be shown to some members only. https://docs.slack.dev/reference/block-kit/block-elements/icon-button-element */
function isShownTo(element: JsonObject, memberId: string): boolean {
  const only = element.visible_to_user_ids;
  return !Array.isArray(only) || only.length === 0 || only.includes(memberId);
}

/** A message's blocks without what it shows to others only. */
export function blocksSeenBy(memberId: string, blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'context_actions') return block;
    const elements = objectsAt(block, 'elements').filter((element) => isShownTo(element, memberId));
    return elements.length > 0 ? { ...block, elements } : [];
  });
}

export function attachmentSeenBy(memberId: string, attachment: Attachment): Attachment {
  return attachment.blocks ? { ...attachment, blocks: blocksSeenBy(memberId, attachment.blocks) } : attachment;
}
