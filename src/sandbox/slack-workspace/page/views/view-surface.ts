import { useMemo, useState } from 'react';
import type { Block } from '../../people-api.ts';
import type { PersonProblem, ViewInputs } from '../../person-actions.ts';
import type { Surface } from '../elements/use-element.tsx';
import { withInput } from '../messages/message.tsx';
import { useAct } from '../state/acting.tsx';

type View = {
  id: string;
  hash: string;
  blocks: Block[];
  inputs: ViewInputs;
  errors?: { [blockId: string]: string };
  isSubmitting?: boolean;
};

/**
 * The elements of a modal or the Home tab. As in Slack, typed values survive the app's updates as long as `block_id` and
 * `action_id` are unchanged.
 */
export function useViewSurface(view: View): Surface & { inputs: ViewInputs } {
  const act = useAct();
  const [edits, setEdits] = useState({ hash: view.hash, typed: NOTHING_TYPED });
  const typed = edits.hash === view.hash ? edits.typed : surviving(edits.typed, view);
  if (edits.hash !== view.hash) setEdits({ hash: view.hash, typed });
  const inputs = useMemo(() => merge(view.inputs, typed), [view.inputs, typed]);
  const { id, errors = {}, isSubmitting = false } = view;
  return {
    key: id,
    isFrozen: isSubmitting,
    errors,
    inputs,
    valueOf: (blockId, actionId) => inputs[blockId]?.[actionId],
    hold: (blockId, actionId, input) =>
      setEdits((was) => ({ ...was, typed: withInput(was.typed, blockId, actionId, input) })),
    use: async (blockId, actionId, input, confirmed): Promise<PersonProblem | undefined> => {
      const current = input.kind === 'press' ? inputs : withInput(inputs, blockId, actionId, input);
      const place = { in: 'view', viewId: id } as const;
      const action = {
        type: 'use',
        place,
        blockId,
        actionId,
        input,
        inputs: current,
        ...(confirmed && { confirmed }),
      } as const;
      const outcome = await act(action);
      return !outcome.ok && outcome.problem.at === 'element' ? outcome.problem : undefined;
    },
  };
}

const NOTHING_TYPED: ViewInputs = {};

function merge(inputs: ViewInputs, typed: ViewInputs): ViewInputs {
  const merged = Object.entries(typed).map(([blockId, actions]) => [blockId, { ...inputs[blockId], ...actions }]);
  return { ...inputs, ...Object.fromEntries(merged) };
}

function surviving(typed: ViewInputs, { blocks }: View): ViewInputs {
  const isHere = (blockId: string, actionId: string) => {
    const block = blocks.find(({ block_id }) => block_id === blockId);
    return JSON.stringify(block ?? {}).includes(`"action_id":${JSON.stringify(actionId)}`);
  };
  const kept = Object.entries(typed).map(([blockId, actions]) => [
    blockId,
    Object.fromEntries(Object.entries(actions).filter(([actionId]) => isHere(blockId, actionId))),
  ]);
  return Object.fromEntries(kept);
}
