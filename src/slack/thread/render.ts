import { inputLabel, PREVIEW } from '../../core/crew.ts';
import { starterOf } from '../../core/execution/execution.ts';
import { reviewedTasks, reviewOf } from '../../core/execution/reviewed-tasks.ts';
import { tsOf } from '../../core/messages/post.ts';
import { rootModel } from '../../core/messages/view-models.ts';
import { permalink } from '../api/identity.ts';
import { sayOfNamed } from '../language/say.ts';
import { failureReply, resultReply } from '../run/ending-reply.ts';
import { rootFollowUp, rootMessage } from '../run/root-message.ts';
import { taskReply } from '../run/task-reply.ts';
import type { Rendered } from '../ui/blocks.ts';
import { plainBlocks } from '../ui/plain-blocks.ts';
import { bareRoot, bareTask } from './bare-models.ts';
import { renderAlert } from './render-alert.ts';
import { renderCard } from './render-card.ts';
import { renderDirectMessage } from './render-direct-message.ts';
import type { RenderPorts, Wanted, WantedInWords } from './render-ports.ts';

/**
 * One message, rendered whole from the state. `gone`: it is a file, or the state no longer has what it shows. `later`: it can't
 * be shown before Slack says whom to mention.
 */
export async function render(ports: RenderPorts, wanted: Wanted): Promise<Rendered | 'gone' | 'later'> {
  const say = sayOfNamed(ports.crews, wanted.execution.crew);
  const rendered = await renderMessage(wanted.rendering === 'bare' ? withoutNames(ports) : ports, { ...wanted, say });
  if (rendered === null || rendered === 'gone' || rendered === 'later') return rendered ?? 'gone';
  return wanted.rendering === 'plain-text' ? { ...rendered, blocks: plainBlocks(rendered.blocks) } : rendered;
}

async function renderMessage(ports: RenderPorts, wanted: WantedInWords): Promise<Rendered | 'gone' | 'later' | null> {
  const { message } = wanted;
  switch (message.kind) {
    case 'root':
      return renderRoot(ports, wanted);
    case 'card':
    case 'copy':
      return renderCard(ports, wanted, message.approvalId);
    case 'follow-up':
      return message.approvalId === null ? renderRoot(ports, wanted) : renderCard(ports, wanted, message.approvalId);
    case 'task':
      return renderTask(wanted, message.taskId);
    case 'ending':
      return renderEnding(ports, wanted);
    case 'alert':
      return renderAlert(ports, wanted, message);
    case 'direct-message':
      return renderDirectMessage(ports, wanted, message);
    case 'file':
      return null;
  }
}

/** People choose their own names; their ids are Slack's. */
function withoutNames(ports: RenderPorts): RenderPorts {
  return { ...ports, namesOf: async () => (person) => person.id, approverNames: async () => (name) => name };
}

function renderTask({ execution, rendering, say }: WantedInWords, taskId: string): Rendered | null {
  const task = execution.tasks.find(({ id }) => id === taskId);
  if (!task) return null;
  const shownBy = reviewedTasks(execution).has(task) ? 'card' : 'reply';
  const review = reviewOf(execution, taskId);
  return taskReply(rendering === 'bare' ? bareTask(task) : task, { ref: execution.ref, review, shownBy, say });
}

async function renderRoot(
  ports: RenderPorts,
  { execution, message, rendering, now, say }: WantedInWords,
): Promise<Rendered> {
  const isBare = rendering === 'bare';
  const model = isBare ? bareRoot(rootModel(execution)) : rootModel(execution);
  const { openCard, starter, unfollowed } = model;
  const [latestStep = null] = isBare ? [] : await ports.activity.latest(execution.ref, 1);
  const cardLink = openCard?.ts
    ? permalink(ports.identity, execution.channel, openCard.ts, tsOf(execution.root))
    : null;
  const name = await ports.namesOf(starter, unfollowed?.by);
  const hints = ports.crews.get(execution.crew)?.inputs ?? {};
  const details = { latestStep, cardLink, now, name, say, labelOf: (input: string) => inputLabel(input, hints) };
  return message.kind === 'follow-up' ? rootFollowUp(model, details) : rootMessage(model, details);
}

async function renderEnding(
  ports: RenderPorts,
  { execution, rendering, say }: WantedInWords,
): Promise<Rendered | null> {
  const { ref, crew, createdAt, run } = execution;
  const starter = starterOf(execution);
  const name = await ports.namesOf(starter);
  const isMentioned = ports.rulesOf(crew).notify !== 'none';
  const ended = { ref, crew, starter: isMentioned ? starter : null, createdAt, name, rendering, say };
  switch (run.status) {
    case 'completed': {
      const output = run.result && (await ports.outputs.get(ref, run.result.hash));
      const { preview } = { preview: PREVIEW, ...ports.crews.get(crew) };
      return resultReply({ ...ended, endedAt: run.endedAt, result: run.result, output, preview });
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
