import type { WebClient } from '@slack/web-api';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import { renderingOf } from '../../core/messages/render-plainer.ts';
import { sayOf } from '../language/say.ts';
import type { RenderPorts } from './render-ports.ts';

/** Uploads the whole text to the thread; resolves to the file's id, in place of a message's ts. */
export async function uploadFile(
  client: WebClient,
  { outputs, crews }: RenderPorts,
  execution: Execution,
  approvalId: string,
): Promise<string> {
  const approval = findApproval(execution, approvalId);
  const text = approval && (await outputs.get(execution.ref, approval.output.hash));
  const threadTs = tsOf(execution.root);
  if (!approval || text === null || threadTs === null) return '';
  const isBare = renderingOf(execution, { kind: 'card', approvalId }) === 'bare';
  const say = sayOf(crews.get(execution.crew));
  const name = `${execution.crew}-round-${approval.round}.md`;
  const answer = await client.filesUploadV2({
    channel_id: execution.channel,
    thread_ts: threadTs,
    filename: name,
    title: name,
    content: text,
    initial_comment: say(isBare ? 'file.unshown' : 'file.too-long', { round: approval.round }),
  });
  return answer.files[0]?.files?.[0]?.id ?? 'uploaded';
}
