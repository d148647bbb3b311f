import type { Snapshot } from '../people-api.ts';
import type { ActionOutcome, ChosenFile, PersonAction } from '../person-actions.ts';

/** Lets a driven person act and look, in the same process (`createLocalClient`) or over HTTP (`createRemoteClient`). */
export type WorkspaceClient = {
  act(as: string, action: PersonAction): Promise<ActionOutcome>;
  snapshot(as: string): Promise<Snapshot>;
  /** Uploads a file for a `file_input`. */
  upload(as: string, file: { name: string; bytes: Buffer }): Promise<ChosenFile>;
  /** The file's bytes; undefined if the person can't see it. */
  download(as: string, fileId: string): Promise<Buffer | undefined>;
};
