import { inputsFor } from '../inputs/element-inputs.ts';
import { type JsonObject, objectAt, stringAt } from '../json.ts';
import type { Block } from '../people-api.ts';
import { channelById } from './channels.ts';
import { nextHash, nextId } from './identifiers.ts';
import { storedBlocks, withDefaults } from './stored-blocks.ts';
import type { StoredChannel, StoredView, WorkspaceState } from './workspace-state.ts';

/** The maximum depth of the modal stack. https://docs.slack.dev/surfaces/modals#adding_views */
export const DEEPEST_STACK = 3;

/** The blocks of a stored view, validated and given ids when it was stored. */
export function blocksOf(view: StoredView): Block[] {
  return Array.isArray(view.source.blocks) ? (view.source.blocks as Block[]) : [];
}

/** The member's open modals, bottom to top. */
export function modalStack(state: WorkspaceState, userId: string): StoredView[] {
  return state.views.filter((view) => view.userId === userId && view.kind === 'modal');
}

export function findView(
  state: WorkspaceState,
  reference: { viewId?: string; externalId?: string },
): StoredView | undefined {
  const { viewId, externalId } = reference;
  return state.views.find((view) =>
    viewId !== undefined ? view.id === viewId : externalId !== undefined && view.source.external_id === externalId,
  );
}

export function homeOf(state: WorkspaceState, userId: string): StoredView | undefined {
  return state.views.find((view) => view.kind === 'home' && view.userId === userId);
}

/** Opens a modal on the member's stack; without `onTopOf` it replaces all open ones. */
export function addModal(
  state: WorkspaceState,
  modal: { userId: string; source: JsonObject; onTopOf?: StoredView; openedIn?: string | undefined; nowMs: number },
): StoredView {
  const { userId, source, onTopOf, openedIn = onTopOf?.openedIn, nowMs } = modal;
  if (!onTopOf) dropModals(state, modalStack(state, userId));
  const id = nextId(state, 'V');
  const view = newView(state, { id, kind: 'modal', userId, source, openedIn, nowMs });
  view.rootId = onTopOf?.rootId ?? id;
  view.previousId = onTopOf?.id ?? null;
  state.views.push(view);
  return view;
}

export function publishHome(
  state: WorkspaceState,
  home: { userId: string; source: JsonObject; nowMs: number },
): StoredView {
  const existing = homeOf(state, home.userId);
  if (existing) {
    replaceSource(state, existing, home.source, home.nowMs);
    return existing;
  }
  const view = newView(state, { id: nextId(state, 'V'), kind: 'home', ...home });
  state.views.push(view);
  return view;
}

/** Replaces a view's content. Values stay where `block_id` and `action_id` are unchanged. */
export function replaceSource(state: WorkspaceState, view: StoredView, source: JsonObject, nowMs: number): void {
  view.source = prepared(state, source);
  view.hash = nextHash(state, nowMs);
  view.inputs = inputsFor(blocksOf(view), view.inputs, openedIn(state, view));
  view.errors = {};
  delete view.problem;
}

export function dropModals(state: WorkspaceState, modals: readonly StoredView[]): void {
  state.views = state.views.filter((view) => !modals.includes(view));
}

function newView(
  state: WorkspaceState,
  view: Pick<StoredView, 'id' | 'kind' | 'userId' | 'source'> & { openedIn?: string | undefined; nowMs: number },
): StoredView {
  const { id, kind, userId, nowMs } = view;
  const source = prepared(state, view.source);
  const made: StoredView = {
    id,
    kind,
    userId,
    hash: nextHash(state, nowMs),
    rootId: id,
    previousId: null,
    source,
    inputs: {},
    errors: {},
    isSubmitting: false,
    ...(view.openedIn !== undefined && { openedIn: view.openedIn }),
  };
  made.inputs = inputsFor(blocksOf(made), {}, openedIn(state, made));
  return made;
}

function openedIn(state: WorkspaceState, view: StoredView): StoredChannel | undefined {
  return view.openedIn === undefined ? undefined : channelById(state, view.openedIn);
}

function prepared(state: WorkspaceState, source: JsonObject): JsonObject {
  const blocks = Array.isArray(source.blocks) ? source.blocks : [];
  return { ...withDefaults(source), blocks: storedBlocks(blocks, () => nextId(state, 'b').slice(-5)) };
}

export function titleOf(view: StoredView): string {
  return stringAt(objectAt(view.source, 'title'), 'text') ?? '';
}
