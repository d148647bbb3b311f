import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import type { Millis } from '../time.ts';
import type { Message } from './message.ts';
import { messageKey } from './message.ts';
import { duePost } from './post.ts';
import { plainerThan, type Rendering } from './rendering.ts';

export function renderingOf({ renderings }: Execution, message: Message): Rendering {
  return renderings[messageKey(message)] ?? 'full';
}

/** Renders the message this plainly from now on. A card without the text that it asks about gets it as a file. */
export function renderPlainer(execution: Execution, message: Message, rendering: Rendering, now: Millis): Execution {
  if (!plainerThan(renderingOf(execution, message)).includes(rendering)) return execution;
  const plainer = { ...execution, renderings: { ...execution.renderings, [messageKey(message)]: rendering } };
  return rendering === 'bare' ? attachOutput(plainer, message, now) : plainer;
}

function attachOutput(execution: Execution, message: Message, now: Millis): Execution {
  if (message.kind !== 'card' && message.kind !== 'copy') return execution;
  const approval = findApproval(execution, message.approvalId);
  return approval?.file === null ? withApproval(execution, { ...approval, file: duePost(now) }) : execution;
}
