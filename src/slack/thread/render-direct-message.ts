import { findApproval } from '../../core/execution/execution.ts';
import { directMessageModel } from '../../core/messages/direct-message-model.ts';
import type { Message } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { permalink } from '../api/identity.ts';
import { directCard, directLine } from '../approval/direct-message.ts';
import { sayIn } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { bareCard } from './bare-models.ts';
import { renderCard } from './render-card.ts';
import type { RenderPorts, Wanted } from './render-ports.ts';

/** In the language of the person, as only they read it. Null if there is no such request, or nothing to link to. */
export async function renderDirectMessage(
  ports: RenderPorts,
  wanted: Wanted,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
): Promise<Rendered | null> {
  const { execution, rendering } = wanted;
  const approval = findApproval(execution, approvalId);
  const root = tsOf(execution.root);
  const ts = approval && (tsOf(approval.card) ?? root);
  if (!approval || ts === null) return null;
  const { form, model } = directMessageModel(execution, approval, to);
  const say = sayIn(await ports.languageOf(to));
  const link = permalink(ports.identity, execution.channel, ts, root);
  if (form === 'line') {
    const name = await ports.namesOf(
      'decision' in model.state ? model.state.decision?.by : null,
      ...approval.votes.map(({ by }) => by),
    );
    return directLine(rendering === 'bare' ? bareCard(model) : model, { link, name, say });
  }
  const handedBy = approval.handedOver.findLast((each) => each.to.id === to && each.until === null)?.by ?? null;
  const [card, name] = await Promise.all([
    renderCard(ports, { ...wanted, mentions: [], say }, approvalId),
    ports.namesOf(handedBy),
  ]);
  return card && directCard(card, { handedBy, link, name, say });
}
