import type { Approval, Person } from '../../core/approval/approval.ts';
import type { Crew } from '../../core/crew.ts';
import { inputLabel } from '../../core/crew.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval, starterOf } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { Rendering } from '../../core/messages/rendering.ts';
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
import { plainBlocks } from '../ui/plain-blocks.ts';
import { bareCard, bareRoot, bareTask } from './bare-models.ts';

export interface RenderPorts {
  outputs: OutputStore;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  identity: Identity;
  namesOf: NamesOf;
}

export interface Wanted {
  execution: Execution;
  message: Message;
  rendering: Rendering;
  now: Millis;
}

/** One message, rendered whole from the state; null for a file, or if the state no longer has what it shows. */
export async function render(ports: RenderPorts, wanted: Wanted): Promise<Rendered | null> {
  const rendered = await renderMessage(wanted.rendering === 'bare' ? withoutNames(ports) : ports, wanted);
  return rendered && wanted.rendering === 'plain-text'
    ? { ...rendered, blocks: plainBlocks(rendered.blocks) }
    : rendered;
}

async function renderMessage(ports: RenderPorts, wanted: Wanted): Promise<Rendered | null> {
  const { execution, message, rendering } = wanted;
  switch (message.kind) {
    case 'root':
      return renderRoot(ports, wanted);
    case 'card':
    case 'copy':
      return renderCard(ports, wanted, message.approvalId);
    case 'task': {
      const task = execution.tasks.find(({ id }) => id === message.taskId);
      return task ? taskReply(execution.ref, rendering === 'bare' ? bareTask(task) : task) : null;
    }
    case 'ending':
      return renderEnding(ports, wanted);
    case 'notice':
    case 'file':
      return null;
  }
}

/** People choose their own names; their ids are Slack's. */
function withoutNames(ports: RenderPorts): RenderPorts {
  return { ...ports, namesOf: async () => (person) => person.id };
}

async function renderRoot(ports: RenderPorts, { execution, rendering, now }: Wanted): Promise<Rendered> {
  const isBare = rendering === 'bare';
  const model = isBare ? bareRoot(rootModel(execution)) : rootModel(execution);
  const { openCard, starter, unfollowed } = model;
  const [latestStep = null] = isBare ? [] : await ports.activity.latest(execution.ref, 1);
  const cardLink = openCard?.ts
    ? permalink(ports.identity, execution.channel, openCard.ts, tsOf(execution.root))
    : null;
  const name = await ports.namesOf(starter, unfollowed?.by);
  const hints = ports.crews.get(execution.crew)?.inputs ?? {};
  return rootMessage(model, { latestStep, cardLink, now, name, labelOf: (input) => inputLabel(input, hints) });
}

async function renderCard(
  ports: RenderPorts,
  { execution, rendering }: Wanted,
  approvalId: string,
): Promise<Rendered | null> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const whole = cardModel(execution, approval);
  const model = rendering === 'bare' ? bareCard(whole) : whole;
  const decision = 'decision' in model.state ? model.state.decision : null;
  const [output, name] = await Promise.all([
    ports.outputs.get(execution.ref, approval.output.hash),
    ports.namesOf(decision?.by, model.ledBy?.by, ...peopleOn(approval)),
  ]);
  const notes = ports.crews.get(execution.crew)?.approvalNotes === false ? 'hidden' : 'offered';
  return approvalCard(model, { output, notes, name, rendering });
}

function peopleOn({ votes, handedOver }: Approval): Person[] {
  return [...votes.map(({ by }) => by), ...handedOver.flatMap(({ to, by }) => [to, by])];
}

async function renderEnding(ports: RenderPorts, { execution, rendering }: Wanted): Promise<Rendered | null> {
  const { ref, crew, createdAt, run } = execution;
  const starter = starterOf(execution);
  const name = await ports.namesOf(starter);
  const ended = { ref, crew, starter, createdAt, name, rendering };
  switch (run.status) {
    case 'completed': {
      const output = run.result && (await ports.outputs.get(ref, run.result.hash));
      return resultReply({ ...ended, endedAt: run.endedAt, result: run.result, output });
    }
    case 'failed':
      return failureReply({ ...ended, endedAt: run.endedAt, error: run.error });
    case 'starting':
    case 'running':
    case 'waiting':
    case 'lost':
    case 'not-started':
    case 'unconfirmed':
      return null;
  }
}
