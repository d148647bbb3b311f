import type { Confirm } from '@slack/types';
import { createContext, type ReactNode, useContext, useId, useRef, useState } from 'react';
import type { JsonObject } from '../../json.ts';
import type { ElementInput, PersonProblem } from '../../person-actions.ts';
import { Dialog } from '../shell/dialog.tsx';
import { textWithEmoji } from '../text/emoji.ts';
import { TextObjectView } from '../text/mrkdwn.tsx';

/** The container of elements: a message, a modal or the Home tab. */
export type Surface = {
  /** Unique on the page; prefixes all DOM ids in this surface. */
  key: string;
  /** The level of its blocks' headings: one below its own. */
  heading: 'h2' | 'h3';
  /** True while a modal is being submitted: its buttons are disabled. */
  isFrozen: boolean;
  valueOf(blockId: string, actionId: string): ElementInput | undefined;
  /** Stores a value without notifying the app. */
  hold(blockId: string, actionId: string, input: ElementInput): void;
  /** Notifies the app. Resolves once it has answered, with the problem to show beside the element, if any. */
  use(blockId: string, actionId: string, input: ElementInput, confirmed: boolean): Promise<PersonProblem | undefined>;
  /** Error texts under input blocks, by `block_id`. */
  errors: { [blockId: string]: string };
};

const SurfaceContext = createContext<Surface | undefined>(undefined);
export const SurfaceProvider = SurfaceContext.Provider;

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('useSurface needs a SurfaceProvider');
  return surface;
}

export type Control = {
  id: string;
  /** The accessible name, if there is no visible label. */
  label?: string;
  describedBy?: string | undefined;
  /** True if using it notifies the app immediately, rather than on submission. */
  dispatches: boolean;
  isInvalid: boolean;
};

export type ElementProps<E> = { element: E; blockId: string; control: Control };

/** The attributes for a form control's name, hint and error. */
export function controlAttributes({ id, label, describedBy, isInvalid }: Control) {
  return { id, 'aria-label': label, 'aria-describedby': describedBy, 'aria-invalid': isInvalid || undefined };
}

type Identified = { action_id?: string; confirm?: Confirm };

type ElementState = {
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

/** Longer than between two keys of one date. */
const SETTLED_AFTER_MS = 700;

/** Each key in a date or time field makes another value, so the app gets it once the person is done. */
export function useSettling({ hold, put }: ElementState): { change(input: ElementInput): void; settle(): void } {
  const pending = useRef<ElementInput>(undefined);
  const timer = useRef<number>(undefined);
  const settle = () => {
    window.clearTimeout(timer.current);
    if (pending.current) put(pending.current);
    pending.current = undefined;
  };
  return {
    settle,
    change(input) {
      hold(input);
      pending.current = input;
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(settle, SETTLED_AFTER_MS);
    },
  };
}

/** Adds the confirm dialog and the ⚠ of a failed use to an element. */
export function Frame({ state, children }: { state: ElementState; children: ReactNode }) {
  return (
    <div className="element">
      {children}
      {state.problem !== undefined && (
        <span className="element-problem" role="alert">
          <span aria-hidden="true">⚠</span> {state.problem}
        </span>
      )}
      {state.question && <ConfirmDialog {...state.question} />}
    </div>
  );
}

type Props = { confirm: Confirm; agree(): void; decline(): void };

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
function ConfirmDialog({ confirm, agree, decline }: Props) {
  const titleId = useId();
  return (
    <Dialog className="confirm" labelledBy={titleId} onClose={decline}>
      <h2 id={titleId}>{textWithEmoji(confirm.title ?? { text: 'Are you sure?' })}</h2>
      <div className="confirm-text">
        <TextObjectView text={confirm.text} />
      </div>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={decline}>
          {textWithEmoji(confirm.deny ?? { text: 'Cancel' })}
        </button>
        <button type="button" className={`button button-${confirm.style ?? 'primary'}`} onClick={agree}>
          {textWithEmoji(confirm.confirm ?? { text: 'Yes' })}
        </button>
      </footer>
    </Dialog>
  );
}

/** The initial value of a message's element. */
export function initialInput(element: JsonObject): ElementInput | undefined {
  if (typeof element.initial_value === 'string') return { kind: 'text', value: element.initial_value };
  if (typeof element.initial_date === 'string') return { kind: 'moment', value: element.initial_date };
  if (typeof element.initial_time === 'string') return { kind: 'moment', value: element.initial_time };
  if (typeof element.initial_date_time === 'number') return { kind: 'instant', seconds: element.initial_date_time };
  const options =
    element.initial_options ?? (element.initial_option === undefined ? undefined : [element.initial_option]);
  if (Array.isArray(options)) return { kind: 'options', values: options.map(optionValue) };
  const one = element.initial_user ?? element.initial_channel ?? element.initial_conversation;
  const ids =
    element.initial_users ??
    element.initial_channels ??
    element.initial_conversations ??
    (one === undefined ? undefined : [one]);
  return Array.isArray(ids) ? { kind: 'ids', ids: ids.map(String) } : undefined;
}

function optionValue(option: unknown): string {
  return typeof option === 'object' && option !== null && 'value' in option ? String(option.value) : '';
}
