import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { Snapshot } from '../../people-api.ts';
import { Dialog } from '../shell/dialog.tsx';
import { ChannelsTab } from './channels-tab.tsx';
import { useChange } from './controls.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { PeopleTab } from './people-tab.tsx';

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

type Tab = { name: string; content: ReactNode };

/** Tabs of a dialog: arrow keys move between them. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]').item(next).focus();
  };
  return (
    <>
      <div ref={list} className="tabs dialog-tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            id={`${id}${index}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${id}panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}panel`} className="modal-body" role="tabpanel" aria-labelledby={`${id}${at}`} tabIndex={-1}>
        {tabs[at]?.content}
      </div>
    </>
  );
}
