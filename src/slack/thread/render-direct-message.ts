import { findApproval } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { permalink } from '../api/identity.ts';
import { directMessage } from '../approval/direct-message.ts';
import { sayIn } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { RenderPorts, Wanted } from './render-ports.ts';

/** In the language of the person, as only they read it. Null once there is no card to link to. */
export async function renderDirectMessage(
  ports: RenderPorts,
  { execution, rendering }: Wanted,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
): Promise<Rendered | null> {
  const approval = findApproval(execution, approvalId);
  const ts = approval && tsOf(approval.card);
  if (!approval || ts === null) return null;
  const isBare = rendering === 'bare';
  const [language, output] = await Promise.all([
    ports.languageOf(to),
    isBare ? null : ports.outputs.get(execution.ref, approval.output.hash),
  ]);
  return directMessage({
    crew: execution.crew,
    taskName: isBare ? null : approval.taskName,
    round: approval.round,
    output,
    link: permalink(ports.identity, execution.channel, ts, tsOf(execution.root)),
    say: sayIn(language),
  });
}
