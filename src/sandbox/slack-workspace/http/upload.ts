import { receiveUpload } from '../api/upload-url.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { type Exchange, multipart, readBody } from './request.ts';
import { serveCall } from './serve-call.ts';

/**
 * Serves the URLs from `files.getUploadURLExternal`: takes the raw bytes, or a form with one file. Faults refer to it as
 * `upload`.
 */
export async function handleUpload(workspace: Workspace, exchange: Exchange, fileId: string): Promise<void> {
  const at = workspace.now();
  const { request } = exchange;
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  const isForm = type.startsWith('multipart/form-data');
  const bytes = isForm ? ((await multipart(body, type)).file ?? Buffer.alloc(0)) : body;
  const facts = { file: fileId, bytes: bytes.length };
  await serveCall(workspace, exchange, {
    name: 'upload',
    at,
    args: facts,
    request: facts,
    apply() {
      const status = receiveUpload(workspace, fileId, bytes);
      return status === 200 ? { status, body: { ok: true } } : { status, body: { ok: false }, error: `http_${status}` };
    },
  });
}
