import type { ModalView } from '@slack/types';
import type { Rendered } from '../ui/blocks.ts';
import type { Click } from './click.ts';
import type { SlackEvent } from './event.ts';
import type { ListenerContext } from './listener-context.ts';
import type { Shortcut } from './shortcut.ts';
import type { Submission } from './submission.ts';

/**
 * Who may use a button or modal. `members`: the dispatcher refuses everyone from outside the workspace, and the handler changes
 * nothing. `policy`: the crew's policy says, which the handler asks as part of its change, and before it shows anything.
 * `starters`: the crew's `starters` say, which the handler asks before it starts anything or shows a form.
 */
interface Entry<Handle> {
  who: 'members' | 'policy' | 'starters';
  handle: Handle;
}

/** Acknowledges a command, with an answer that only the person sees or without any. */
export type AckCommand = (answer?: Rendered & { response_type: 'ephemeral' }) => Promise<void>;

/** Acknowledges a click: only once what it asked for is stored, or is known to change nothing. */
export type AckClick = () => Promise<void>;

/** Answers a click on one `action_id`. If it throws before the ack, Slack shows the person an error. */
export type OnClick = (context: ListenerContext, click: Click, ack: AckClick) => Promise<void>;

export type ClickEntry = Entry<OnClick>;

/** Answers a shortcut of one `callback_id`, as it would a click. */
export type OnShortcut = (context: ListenerContext, shortcut: Shortcut, ack: AckClick) => Promise<void>;

/** It is never only for `members`: each shortcut starts something or is about a decision. */
export type ShortcutEntry = Entry<OnShortcut> & { who: 'policy' | 'starters' };

/** What happens to a submitted modal: it closes, its whole stack closes, it turns into another, shows errors, … */
export type SubmissionAnswer =
  | { kind: 'close' }
  | { kind: 'clear' }
  | { kind: 'update'; view: ModalView }
  | { kind: 'push'; view: ModalView }
  | { kind: 'errors'; errors: Record<string, string> };

export type AckSubmission = (answer: SubmissionAnswer) => Promise<void>;

/** Answers a submission of one `callback_id`. */
export type OnSubmit = (context: ListenerContext, submission: Submission, ack: AckSubmission) => Promise<void>;

export type SubmissionEntry = Entry<OnSubmit>;

/** Answers an event of one type. Slack delivers it again if it isn't acknowledged. */
export type OnEvent = (context: ListenerContext, event: SlackEvent, ack: AckClick) => Promise<void>;
