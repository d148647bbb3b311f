/** What an element currently holds, or what a person does with it. */
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
  /** button, workflow_button, feedback and icon buttons (`value` says which of several) */
  | { kind: 'press'; value?: string };

/** `block_id` → `action_id` → what it holds. */
export type ViewInputs = { [blockId: string]: { [actionId: string]: ElementInput } };

/** Where an element is. An ephemeral message is found by its `ts` like any other. */
export type ElementPlace = { in: 'message'; channel: string; ts: string } | { in: 'view'; viewId: string };

/** Everything a person can do. */
export type PersonAction =
  /**
   * What the composer sends. Text that begins with `/` is a slash command: the app's, or the workspace's own
   * `/invite @name`, `/remove @name` and `/leave`. Plain `@name`, `#channel` and `@channel` are resolved by the server.
   */
  | { type: 'send'; channel: string; text: string; threadTs?: string; alsoToChannel?: boolean }
  /** Use an element of a message, a modal or the home tab. `inputs`: what is typed in the view so far. */
  | {
      type: 'use';
      place: ElementPlace;
      blockId: string;
      actionId: string;
      input: ElementInput;
      /** The person agreed to the element's `confirm` dialog; without it such an element refuses. */
      confirmed?: boolean;
      inputs?: ViewInputs;
    }
  /** Keep what is typed in a view (optional: `use` and `submit` carry it too). */
  | { type: 'fill'; viewId: string; inputs: ViewInputs }
  | { type: 'submit'; viewId: string; inputs?: ViewInputs }
  /** `one`: the button labelled `closeLabel`, back to the view below; `all`: the ✕ in the corner. */
  | { type: 'close'; viewId: string; extent: 'one' | 'all' }
  | { type: 'open-home'; tab: 'home' | 'messages' }
  | { type: 'message-shortcut'; callbackId: string; channel: string; ts: string }
  | { type: 'global-shortcut'; callbackId: string }
  | { type: 'join'; channel: string }
  | { type: 'mark-read'; channel: string; ts: string }
  | { type: 'dismiss'; channel: string; ts: string };

/** Why an action did nothing, or failed at the app, in the words the person reads. */
export type PersonProblem = {
  /** Stable, for tests: e.g. `app_timeout`, `app_unreachable`, `app_error`, `invalid_input`, `not_visible`, `no_such_command`. */
  code: string;
  /** What Slack would show, e.g. `/kickoff failed because the app did not respond.`. */
  text: string;
  /**
   * Where Slack would show it: a ⚠ beside the used element (the page keeps it until the next use), the composer, the
   * modal's banner, under inputs, or in passing.
   */
  at: 'element' | 'composer' | 'modal' | 'inputs' | 'toast';
  /** For `inputs`: the texts by `block_id`; they are in the snapshot's `OpenView.errors` too. */
  errors?: { [blockId: string]: string };
};

/** `ts` is that of the message just sent. */
export type ActionOutcome = { ok: true; ts?: string } | { ok: false; problem: PersonProblem };
