import type { Crew } from '../../core/crew.ts';
import { inputLabel } from '../../core/crew.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval, starterOf } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { cardModel, rootModel } from '../../core/messages/view-models.ts';
import type { ActivityLog, OutputStore } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';
import type { Identity } from '../api/identity.ts';
import { permalink } from '../api/identity.ts';
import type { NamesOf } from '../api/users.ts';
import { approvalCard } from '../approval/card.ts';
import { failureReply, resultReply } from '../run/ending-reply.ts';
import { rootMessage } from '../run/root-message.ts';
import { taskReply } from '../run/task-reply.ts';
import type { Rendered } from '../ui/blocks.ts';

export interface RenderPorts {
  outputs: OutputStore;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  identity: Identity;
  namesOf: NamesOf;
}

/** One message, rendered whole from the state; null for a file, or if the state no longer has what it shows. */
export async function render(
  ports: RenderPorts,
  execution: Execution,
  message: Message,
  now: Millis,
): Promise<Rendered | null> {
  switch (message.kind) {
    case 'root':
      return renderRoot(ports, execution, now);
    case 'card':
    case 'copy':
      return renderCard(ports, execution, message.approvalId);
    case 'task': {
      const task = execution.tasks.find(({ id }) => id === message.taskId);
      return task ? taskReply(execution.ref, task) : null;
    }
    case 'ending':
      return renderEnding(ports, execution);
    case 'file':
      return null;
  }
}

async function renderRoot(ports: RenderPorts, execution: Execution, now: Millis): Promise<Rendered> {
  const model = rootModel(execution);
  const { openCard, starter, unfollowed } = model;
  const [latestStep = null] = await ports.activity.latest(execution.ref, 1);
  const cardLink = openCard?.ts
    ? permalink(ports.identity, execution.channel, openCard.ts, tsOf(execution.root))
    : null;
  const name = await ports.namesOf(starter, unfollowed?.by);
  const hints = ports.crews.get(execution.crew)?.inputs ?? {};
  return rootMessage(model, { latestStep, cardLink, now, name, labelOf: (input) => inputLabel(input, hints) });
}

async function renderCard(ports: RenderPorts, execution: Execution, approvalId: string): Promise<Rendered | null> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const model = cardModel(execution, approval);
  const decision = 'decision' in model.state ? model.state.decision : null;
  const [output, name] = await Promise.all([
    ports.outputs.get(execution.ref, approval.output.hash),
    ports.namesOf(decision?.by, model.ledBy?.by),
  ]);
  const notes = ports.crews.get(execution.crew)?.approvalNotes === false ? 'hidden' : 'offered';
  return approvalCard(model, { output, notes, name });
}

async function renderEnding(ports: RenderPorts, execution: Execution): Promise<Rendered | null> {
  const { ref, crew, createdAt, run } = execution;
  const starter = starterOf(execution);
  const name = await ports.namesOf(starter);
  switch (run.status) {
    case 'completed': {
      const output = run.result && (await ports.outputs.get(ref, run.result.hash));
      return resultReply({ ref, crew, starter, createdAt, endedAt: run.endedAt, name, result: run.result, output });
    }
    case 'failed':
      return failureReply({ ref, crew, starter, createdAt, endedAt: run.endedAt, name, error: run.error });
    case 'starting':
    case 'running':
    case 'waiting':
    case 'lost':
    case 'not-started':
    case 'unconfirmed':
      return null;
  }
}
