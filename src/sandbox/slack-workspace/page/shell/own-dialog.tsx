import { lazy, Suspense } from 'react';
import type { Snapshot } from '../../people-api.ts';
import { HelpDialog } from './help-dialog.tsx';
import { ProfileDialog } from './profile-dialog.tsx';
import { SideBySideDialog } from './side-by-side-dialog.tsx';

/** Fetched when it is first opened: few look at it, and it has many forms. */
const WorkspaceDialog = lazy(async () => {
  const loaded = await import('../administration/workspace-dialog.tsx');
  return { default: loaded.WorkspaceDialog };
});

export type OpenDialog = 'help' | 'profile' | 'side-by-side' | 'workspace';

type Props = { dialog: OpenDialog; snapshot: Snapshot; close(): void };

/** A dialog of the page itself, not of the app. */
export function OwnDialog({ dialog, snapshot, close }: Props) {
  const { me, members, groups } = snapshot;
  switch (dialog) {
    case 'help':
      return <HelpDialog close={close} />;
    case 'profile':
      return <ProfileDialog me={me} groups={groups} close={close} />;
    case 'side-by-side':
      return <SideBySideDialog me={me} members={members} groups={groups} close={close} />;
    case 'workspace':
      return (
        <Suspense>
          <WorkspaceDialog snapshot={snapshot} close={close} />
        </Suspense>
      );
  }
}
