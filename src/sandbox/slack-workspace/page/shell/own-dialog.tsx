import { useId } from 'react';
import type { Member, Snapshot, UserGroup } from '../../people-api.ts';
import { WorkspaceDialog } from '../administration/workspace-dialog.tsx';
import { useAct } from '../state/acting.tsx';
import { Dialog } from './dialog.tsx';
import { SideBySideDialog } from './side-by-side.tsx';

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
      return <WorkspaceDialog snapshot={snapshot} close={close} />;
  }
}

const KEYS = [
  ['F6 / Shift+F6', 'next or previous part of the page'],
  ['Alt+↓ / Alt+↑', 'next or previous channel'],
  ['/', 'start a command in the composer'],
  ['↑ ↓ Home End', 'move between messages; ↑ also from the composer'],
  ['T or →', 'on a message: open its thread'],
  ['M', 'on a message: open its menu'],
  ['Tab', 'on a message: go to its buttons'],
  ['Enter', 'send; in a form: submit'],
  ['Shift+Enter', 'new line'],
  ['Ctrl+Enter', 'in a form: submit from any field'],
  ['↓ or Enter', 'open a list of choices; type to search it'],
  ['Esc', 'close list, menu, dialog, thread or drawer'],
  ['Ctrl+.', 'show the wire drawer'],
  ['?', 'show this list'],
] as const;

function HelpDialog({ close }: { close(): void }) {
  const titleId = useId();
  return (
    <Dialog className="help" labelledBy={titleId} onClose={close}>
      <header className="modal-head">
        <h2 id={titleId}>Keyboard shortcuts</h2>
      </header>
      <dl className="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="help-note">On a Mac, use ⌘ instead of Ctrl. The browser’s back button works too.</p>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

type ProfileProps = { me: Member; groups: UserGroup[]; close(): void };

/** Shows the settings that a person can change about themselves: presence, and user groups. */
function ProfileDialog({ me, groups, close }: ProfileProps) {
  const titleId = useId();
  return (
    <Dialog className="profile" labelledBy={titleId} onClose={close}>
      <header className="modal-head">
        <h2 id={titleId}>{me.realName}</h2>
      </header>
      <div className="profile-body">
        <Away isAway={me.isAway ?? false} />
        <TimeZone timeZone={me.timeZone} />
        {me.kind === 'member' && <Groups meId={me.id} groups={groups} />}
      </div>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

function Away({ isAway }: { isAway: boolean }) {
  const act = useAct();
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isAway}
        onChange={({ target }) => void act({ type: 'set-presence', presence: target.checked ? 'away' : 'auto' })}
      />
      <span>
        Set yourself as away
        <span className="choice-description">Everybody sees it, and apps can ask for it.</span>
      </span>
    </label>
  );
}

function TimeZone({ timeZone }: { timeZone: string }) {
  const act = useAct();
  const id = useId();
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', timeZone])].sort();
  return (
    <div className="input-block">
      <label className="input-label" htmlFor={id}>
        Time zone
      </label>
      <select
        id={id}
        className="field field-short"
        value={timeZone}
        onChange={({ target }) => void act({ type: 'set-time-zone', timeZone: target.value })}
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </div>
  );
}

function Groups({ meId, groups }: { meId: string; groups: UserGroup[] }) {
  const act = useAct();
  const open = groups.filter(({ disabledAt }) => disabledAt === undefined);
  return (
    <fieldset className="choices">
      <legend className="input-label">User groups</legend>
      {open.map(({ id, handle, name, memberIds }) => (
        <label key={id} className="choice">
          <input
            type="checkbox"
            checked={memberIds.includes(meId)}
            onChange={({ target }) => void act({ type: target.checked ? 'join-group' : 'leave-group', group: id })}
          />
          <span>
            @{handle.replace(/^@/, '')}
            <span className="choice-description">{name}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
