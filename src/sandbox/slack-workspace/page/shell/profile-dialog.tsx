import { useId } from 'react';
import type { Member, UserGroup } from '../../people-api.ts';
import { useAct } from '../state/acting.tsx';
import { Dialog } from './dialog.tsx';

type Props = { me: Member; groups: UserGroup[]; close(): void };

/** What a person can change about themselves: where they are, and in which user groups. */
export function ProfileDialog({ me, groups, close }: Props) {
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
