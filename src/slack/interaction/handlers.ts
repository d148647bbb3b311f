import type { ModalView } from '@slack/types';
import type { Click } from './click.ts';
import type { ListenerContext } from './listener-context.ts';
import type { Submission } from './submission.ts';

/** Acknowledges a click: only once what it asked for is stored, or is known to change nothing. */
export type AckClick = () => Promise<void>;

/** Answers a click on one `action_id`. What it throws before the ack lets Slack show the person an error. */
export type OnClick = (context: ListenerContext, click: Click, ack: AckClick) => Promise<void>;

/** What becomes of a modal that was submitted: it closes, all of its stack closes, it turns into another, shows errors… */
export type SubmissionAnswer =
  | { kind: 'close' }
  | { kind: 'clear' }
  | { kind: 'update'; view: ModalView }
  | { kind: 'push'; view: ModalView }
  | { kind: 'errors'; errors: Record<string, string> };

export type AckSubmission = (answer: SubmissionAnswer) => Promise<void>;

/** Answers a submission of one `callback_id`. */
export type OnSubmit = (context: ListenerContext, submission: Submission, ack: AckSubmission) => Promise<void>;
