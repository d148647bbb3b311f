import { useId } from 'react';
import type { Snapshot } from '../../people-api.ts';
import { Dialog } from '../shell/dialog.tsx';
import { ChannelsTab } from './channels-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { PeopleTab } from './people-tab.tsx';
import { Tabs } from './tabs.tsx';
import { useChange } from './use-change.ts';

type Props = { snapshot: Snapshot; close(): void };

/** The people, user groups and channels of the workspace, for everyone to see and for admins to change. */
export function WorkspaceDialog({ snapshot, close }: Props) {
  const titleId = useId();
  const { change, outcome } = useChange();
  const isAdmin = snapshot.me.role !== undefined;
  const parts = { snapshot, change, isAdmin };
  return (
    <Dialog className="workspace" labelledBy={titleId} onClose={close}>
      <header className="modal-head">
        <h2 id={titleId}>People and groups</h2>
      </header>
      {!isAdmin && <p className="workspace-note">Only admins and owners can change people and user groups.</p>}
      <p className="modal-problem" role="alert" hidden={!outcome?.isRefused}>
        {outcome?.isRefused && outcome.text}
      </p>
      <Tabs
        label="What to look at"
        tabs={[
          { name: 'People', content: <PeopleTab {...parts} /> },
          { name: 'User groups', content: <GroupsTab {...parts} /> },
          { name: 'Channels', content: <ChannelsTab {...parts} /> },
        ]}
      />
      <footer className="dialog-buttons">
        <p className="workspace-note" role="status">
          {outcome && !outcome.isRefused && outcome.text}
        </p>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}
