import { nextId } from './identifiers.ts';
import type { StoredFile, WorkspaceState } from './workspace-state.ts';

const TYPES: { [extension: string]: string } = {
  md: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
};

/** Adds a file that has no bytes yet. */
export function newFile(
  state: WorkspaceState,
  file: Pick<StoredFile, 'name' | 'sizeBytes' | 'userId'> & { nowMs: number },
): StoredFile {
  const { name, sizeBytes, userId, nowMs } = file;
  const made: StoredFile = {
    id: nextId(state, 'F'),
    name,
    title: name,
    mimetype: TYPES[extensionOf(name) ?? ''] ?? 'text/plain',
    sizeBytes,
    userId,
    channels: [],
    created: Math.floor(nowMs / 1000),
  };
  state.files.push(made);
  return made;
}

/** Returns the part after the last dot of a file's name, in lower case. */
export function extensionOf(name: string): string | undefined {
  return name.includes('.') ? name.split('.').at(-1)?.toLowerCase() : undefined;
}
