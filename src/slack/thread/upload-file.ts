import type { WebClient } from '@slack/web-api';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { RenderPorts } from './render.ts';

/** Uploads the whole text to the thread; resolves to the file's id, in place of a message's ts. */
export async function uploadFile(
  client: WebClient,
  { outputs }: RenderPorts,
  execution: Execution,
  approvalId: string,
): Promise<string> {
  const approval = findApproval(execution, approvalId);
  const text = approval && (await outputs.get(execution.ref, approval.output.hash));
  const threadTs = tsOf(execution.root);
  if (!approval || text === null || threadTs === null) return '';
  const name = `${execution.crew}-round-${approval.round}.md`;
  const answer = await client.filesUploadV2({
    channel_id: execution.channel,
    thread_ts: threadTs,
    filename: name,
    title: name,
    content: text,
    initial_comment: `The whole text of round ${approval.round}, since it is too long to be read in Slack.`,
  });
  return answer.files[0]?.files?.[0]?.id ?? 'uploaded';
}
