import type { AdminChange } from './administration/change.ts';

/** An element's value, or what a person does with it. */
export type ElementInput =
  /** plain_text_input, number_input, email_text_input, url_text_input */
  | { kind: 'text'; value: string }
  /** static selects, radio_buttons, checkboxes, overflow: the chosen options' values */
  | { kind: 'options'; values: string[] }
  /** users, conversations and channels selects: the chosen ids */
  | { kind: 'ids'; ids: string[] }
  /** datepicker `YYYY-MM-DD`, timepicker `HH:mm`; null clears it */
  | { kind: 'moment'; value: string | null }
  /** datetimepicker: seconds since the epoch */
  | { kind: 'instant'; seconds: number | null }
  /** file_input: what the person has uploaded for it */
  | { kind: 'files'; files: ChosenFile[] }
  /** button, workflow_button, feedback and icon buttons (`value` tells feedback buttons apart) */
  | { kind: 'press'; value?: string };

/** An uploaded file; the name is for show. */
export type ChosenFile = { id: string; name: string };

/** `block_id` → `action_id` → value. */
export type ViewInputs = { [blockId: string]: { [actionId: string]: ElementInput } };

export type ElementPlace = { in: 'message'; channel: string; ts: string } | { in: 'view'; viewId: string };

/** Everything a person can do. */
export type PersonAction =
  /**
   * Sends text from the composer. Text that begins with `/` is a slash command of the app, or the workspace's own
   * `/invite @name`, `/remove @name` and `/leave`. Plain `@name`, `#channel` and `@channel` are resolved by the server.
   * `workspace`: where a command is typed, by id or name, in an organisation; their home workspace unless they say.
   */
  | { type: 'send'; channel: string; text: string; threadTs?: string; alsoToChannel?: boolean; workspace?: string }
  /** Uses an element of a message, modal or home tab. `inputs`: the view's values so far. */
  | {
      type: 'use';
      place: ElementPlace;
      blockId: string;
      actionId: string;
      input: ElementInput;
      /** The person accepted the `confirm` dialog; required if the element has one. */
      confirmed?: boolean;
      inputs?: ViewInputs;
    }
  /** Saves the values typed in a view. Optional: `use` and `submit` carry them too. */
  | { type: 'fill'; viewId: string; inputs: ViewInputs }
  | { type: 'submit'; viewId: string; inputs?: ViewInputs }
  /** `one`: the close button, which reveals the view below; `all`: the ✕. */
  | { type: 'close'; viewId: string; extent: 'one' | 'all' }
  | { type: 'open-home'; tab: 'home' | 'messages' }
  | { type: 'message-shortcut'; callbackId: string; channel: string; ts: string }
  | { type: 'global-shortcut'; callbackId: string }
  | { type: 'join'; channel: string }
  /** Changes the person's own time zone, an IANA name. */
  | { type: 'set-time-zone'; timeZone: string }
  /** Sets the person away, or back. */
  | { type: 'set-presence'; presence: 'auto' | 'away' }
  | { type: 'join-group' | 'leave-group'; group: string }
  /** Administers the workspace, within the person's role. */
  | { type: 'administer'; change: AdminChange }
  /** Starts a workflow with its form filled in: `inputs` by the blocks of `WorkflowOffer.form`. */
  | { type: 'start-workflow'; name: string; inputs: ViewInputs }
  /** Cancels a run that the person has started. */
  | { type: 'cancel-workflow'; runId: string }
  | { type: 'mark-read'; channel: string; ts: string }
  | { type: 'dismiss'; channel: string; ts: string };

/** Why an action had no effect, or failed in the app, as shown to the person. */
export type PersonProblem = {
  /** Stable, e.g. `app_timeout`, `app_unreachable`, `app_error`, `invalid_input`, `not_visible`, `no_such_command`. */
  code: string;
  /** The text Slack would show. */
  text: string;
  /**
   * The place in which Slack would show it: a ⚠ beside the element (until its next use), at the composer, in the modal's banner, under
   * inputs, or as a toast.
   */
  at: 'element' | 'composer' | 'modal' | 'inputs' | 'toast';
  /** For `inputs`: texts by `block_id`, also in `OpenView.errors`. */
  errors?: { [blockId: string]: string };
};

/** `ts`: of the message just sent; `runId`: of the workflow just started. */
export type ActionOutcome = { ok: true; ts?: string; runId?: string } | { ok: false; problem: PersonProblem };
