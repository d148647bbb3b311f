import { useMemo, useState } from 'react';
import type { JsonObject } from '../../json.ts';
import type { Block, Message } from '../../people-api.ts';
import type { ElementInput, ViewInputs } from '../../person-actions.ts';
import { initialInput } from '../elements/initial-input.ts';
import type { Surface } from '../elements/surface.tsx';
import { useAct } from '../state/acting.tsx';

/** The elements of a message. Values are kept in the browser; using an element notifies the app. */
export function useMessageSurface({ channel, ts, blocks }: Message, where: string): Surface {
  const act = useAct();
  const [held, setHeld] = useState<ViewInputs>({});
  return useMemo(
    () => ({
      key: `${where}-${ts}`,
      isFrozen: false,
      errors: {},
      valueOf: (blockId, actionId) => held[blockId]?.[actionId] ?? initialOf(blocks, blockId, actionId),
      hold: (blockId, actionId, input) => setHeld((was) => withInput(was, blockId, actionId, input)),
      use: async (blockId, actionId, input, confirmed) => {
        const place = { in: 'message', channel, ts } as const;
        const outcome = await act({ type: 'use', place, blockId, actionId, input, ...(confirmed && { confirmed }) });
        return outcome.ok || outcome.problem.at === 'toast' ? undefined : outcome.problem;
      },
    }),
    [act, channel, ts, blocks, held, where],
  );
}

export function withInput(inputs: ViewInputs, blockId: string, actionId: string, input: ElementInput): ViewInputs {
  return { ...inputs, [blockId]: { ...inputs[blockId], [actionId]: input } };
}

function initialOf(blocks: Block[], blockId: string, actionId: string): ElementInput | undefined {
  const block = blocks.find(({ block_id }) => block_id === blockId);
  const candidates = [block?.accessory, block?.element, ...[block?.elements ?? []].flat()];
  const isSought = (candidate: unknown): candidate is JsonObject =>
    typeof candidate === 'object' && candidate !== null && 'action_id' in candidate && candidate.action_id === actionId;
  const element = candidates.find(isSought);
  return element && initialInput(element);
}
