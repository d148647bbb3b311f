import type { Snapshot } from '../../people-api.ts';
import { HelpDialog } from './help-dialog.tsx';
import { ProfileDialog } from './profile-dialog.tsx';
import { SideBySideDialog } from './side-by-side-dialog.tsx';

export type OpenDialog = 'help' | 'profile' | 'side-by-side';

type Props = { dialog: OpenDialog; snapshot: Snapshot; close(): void };

/** A dialog of the page itself, not of the app. */
export function OwnDialog({ dialog, snapshot, close }: Props) {
  const { me, members, groups } = snapshot;
  switch (dialog) {
    case 'help':
      return <HelpDialog close={close} />;
    case 'profile':
      return <ProfileDialog {...{ me, groups, close }} />;
    case 'side-by-side':
      return <SideBySideDialog {...{ me, members, groups, close }} />;
  }
}
