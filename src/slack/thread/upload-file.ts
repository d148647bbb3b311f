import type { WebClient } from '@slack/web-api';
import type { Approval } from '../../core/approval/approval.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import { renderingOf } from '../../core/messages/render-plainer.ts';
import { type Say, sayOfNamed } from '../language/say.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import type { RenderPorts } from './render-ports.ts';

/**
 * Uploads the whole text to the thread, byte for byte, so that its SHA-256 is the one in its name and in the ledger; resolves to
 * the file's id, in place of a message's ts.
 */
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
  const say = sayOfNamed(crews, execution.crew);
  const answer = await client.filesUploadV2({
    channel_id: execution.channel,
    thread_ts: threadTs,
    filename: fileName(execution, approval),
    title: `${execution.crew}-round-${approval.round}.md`,
    content: text,
    initial_comment: comment(execution, approval, say),
  });
  return answer.files[0]?.files?.[0]?.id ?? 'uploaded';
}

/** No other text has this name. */
export function fileName({ crew }: Execution, { round, output }: Approval): string {
  return `${crew}-round-${round}-sha256-${output.hash}.md`;
}

function comment(execution: Execution, approval: Approval, say: Say): string {
  const { round, output, keepsText } = approval;
  const isBare = renderingOf(execution, { kind: 'card', approvalId: approval.id }) === 'bare';
  if (isBare) return say('file.unshown', { round });
  const isTooLong = output.length > READABLE_LENGTH;
  return keepsText && !isTooLong ? say('file.approved', { round }) : say('file.too-long', { round });
}
