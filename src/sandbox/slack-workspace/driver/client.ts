import type { Snapshot } from '../people-api.ts';
import type { ActionOutcome, PersonAction } from '../person-actions.ts';

/** Lets a driven person act and look, in the same process (`createLocalClient`) or over HTTP (`createRemoteClient`). */
export type WorkspaceClient = {
  act(as: string, action: PersonAction): Promise<ActionOutcome>;
  snapshot(as: string): Promise<Snapshot>;
  /** The file's bytes; undefined if the person can't see it. */
  download(as: string, fileId: string): Promise<Buffer | undefined>;
};
