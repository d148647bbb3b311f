import type { ChosenFile } from '../person-actions.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { newFile } from '../state/new-file.ts';

/** Uploads a file that a person has chosen for a `file_input`. The app is given it with the modal. */
export function upload(
  workspace: Workspace,
  { userId, name, bytes }: { userId: string; name: string; bytes: Buffer },
): ChosenFile {
  const file = newFile(workspace.state, { name, sizeBytes: bytes.length, userId, nowMs: workspace.now() });
  file.contentBase64 = bytes.toString('base64');
  file.isComplete = true;
  workspace.touch();
  return { id: file.id, name };
}
