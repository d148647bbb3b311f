import type { Confirm } from '@slack/types';
import { useState } from 'react';
import type { ElementInput } from '../../person-actions.ts';
import type { Control } from './control.ts';
import { useSurface } from './surface.tsx';

type Identified = { action_id?: string; confirm?: Confirm };

export type ElementState = {
  value: ElementInput | undefined;
  /** Waiting for the app's answer. */
  isBusy: boolean;
  isFrozen: boolean;
  /** Shown as a ⚠ beside the element until its next use. */
  problem: string | undefined;
  /** Stores the value without notifying the app. */
  hold(input: ElementInput): void;
  /** Sets the value, after the `confirm` dialog if there is one, and notifies the app if the element dispatches. */
  put(input: ElementInput): void;
  question: { confirm: Confirm; agree(): void; decline(): void } | undefined;
};

export function useElement(element: Identified, blockId: string, control: Control): ElementState {
  const surface = useSurface();
  const actionId = element.action_id ?? '';
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<ElementInput>();
  const hold = (input: ElementInput) => {
    if (input.kind !== 'press') surface.hold(blockId, actionId, input);
  };
  const commit = async (input: ElementInput, confirmed: boolean) => {
    hold(input);
    if (!control.dispatches) return;
    setProblem(undefined);
    setBusy(true);
    const failure = await surface.use(blockId, actionId, input, confirmed);
    setBusy(false);
    setProblem(failure?.text);
  };
  const { confirm } = element;
  return {
    value: surface.valueOf(blockId, actionId),
    isBusy,
    isFrozen: surface.isFrozen,
    problem,
    hold,
    put: (input) => (control.dispatches && confirm ? setAsked(input) : void commit(input, false)),
    question: confirm &&
      asked && {
        confirm,
        agree: () => {
          setAsked(undefined);
          void commit(asked, true);
        },
        decline: () => setAsked(undefined),
      },
  };
}
