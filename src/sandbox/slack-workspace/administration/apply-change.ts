import type { Workspace } from '../runtime/workspace.ts';
import type { AdminChange } from './change.ts';
import { changeChannels } from './channels.ts';
import { changeGroups } from './groups.ts';
import { changeAccounts, invite } from './people.ts';

/** Applies a change that an admin makes, and tells the app. Returns why it can't be made, if it can't. */
export function applyChange(workspace: Workspace, actorId: string, change: AdminChange): string | undefined {
  switch (change.kind) {
    case 'deactivate':
    case 'reactivate':
    case 'change-account':
    case 'change-role':
      return changeAccounts(workspace, actorId, change);
    case 'invite':
      return invite(workspace, actorId, change);
    case 'create-group':
    case 'change-group':
    case 'disable-group':
    case 'enable-group':
      return changeGroups(workspace, actorId, change);
    case 'create-channel':
    case 'rename-channel':
    case 'share-channel':
    case 'archive-channel':
    case 'unarchive-channel':
    case 'add-to-channel':
    case 'remove-from-channel':
      return changeChannels(workspace, actorId, change);
  }
}
