import { type FormEvent, useState } from 'react';
import type { Account, AdminChange, Role } from '../../administration/change.ts';
import type { Channel, Member, Snapshot } from '../../people-api.ts';
import { Presence } from '../shell/person.tsx';
import { nameInList, roleOf } from '../state/person-words.ts';
import { Asked, type Change, Field } from './controls.tsx';

type Props = { snapshot: Snapshot; change: Change; isAdmin: boolean };

export function PeopleTab({ snapshot, change, isAdmin }: Props) {
  const { members, channels } = snapshot;
  const people = members.filter(({ kind, isOutOfReach }) => kind !== 'app' && kind !== 'slackbot' && !isOutOfReach);
  return (
    <>
      <ul className="rows" aria-label="People">
        {people.map((person) => (
          <li key={person.id} className="row">
            <PersonWords person={person} snapshot={snapshot} />
            {isAdmin && isChangeable(person) && (
              <div className="row-controls">
                {!person.isDeactivated && <AccountSelect person={person} channels={channels} change={change} />}
                <Activation person={person} change={change} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {isAdmin && <InviteForm channels={channels} change={change} />}
    </>
  );
}

/** There is one primary owner, who stays it; strangers are administered by their own organisation. */
function isChangeable({ kind, role }: Member): boolean {
  return kind !== 'stranger' && role !== 'primary-owner';
}

function PersonWords({ person, snapshot }: { person: Member; snapshot: Snapshot }) {
  return (
    <div className="row-words">
      <span className="row-name">
        {!person.isDeactivated && <Presence isAway={person.isAway} />}
        {nameInList(person)} <span className="row-handle">@{person.name}</span>
      </span>
      <span className="choice-description">{roleOf(person, snapshot.groups)}</span>
    </div>
  );
}

function Activation({ person, change }: { person: Member; change: Change }) {
  if (person.isDeactivated)
    return (
      <button
        type="button"
        className="button"
        aria-label={`Reactivate ${person.realName}`}
        onClick={() => void change({ kind: 'reactivate', person: person.id })}
      >
        Reactivate
      </button>
    );
  return (
    <Asked
      what="Deactivate"
      whom={person.realName}
      warning="They leave all channels and user groups."
      confirmed={() => void change({ kind: 'deactivate', person: person.id })}
    />
  );
}

type AccountProps = { person: Member; channels: Channel[]; change: Change };

const ROLES: [Role, string][] = [
  ['owner', 'Owner'],
  ['admin', 'Admin'],
  ['member', 'Member'],
];

/** Chooses a person's account in the workspace; a guest in one channel stays in one of theirs. */
function AccountSelect({ person, channels, change }: AccountProps) {
  const theirs = channels.filter(({ kind, isArchived, memberIds }) => {
    return kind !== 'im' && !isArchived && memberIds.includes(person.id);
  });
  const guestIn = theirs.map(({ id, name }): [string, string] => [`in ${id}`, `Guest in #${name} only`]);
  const options: [string, string][] = [...ROLES, ['guest', 'Guest'], ...guestIn];
  const choose = async (chosen: string) => {
    for (const made of changesFor(person, chosen)) if (!(await change(made))) return;
  };
  return (
    <select
      className="field field-short"
      aria-label={`Account of ${person.realName}`}
      value={accountOf(person, theirs)}
      onChange={({ target }) => void choose(target.value)}
    >
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function accountOf({ kind, role }: Member, theirs: Channel[]): string {
  if (kind === 'guest') return 'guest';
  if (kind === 'channel-guest') return `in ${theirs[0]?.id ?? ''}`;
  return role ?? 'member';
}

/** A guest becomes a member first, and only then an admin. */
function changesFor({ id, kind }: Member, chosen: string): AdminChange[] {
  const change = { kind: 'change-account', person: id } as const;
  if (chosen === 'guest') return [{ ...change, account: 'guest' }];
  if (chosen.startsWith('in ')) return [{ ...change, account: 'channel-guest', channel: chosen.slice(3) }];
  const role = ROLES.find(([name]) => name === chosen)?.[0] ?? 'member';
  const toMember: AdminChange[] = kind === 'member' ? [] : [{ ...change, account: 'member' }];
  const isPlain = role === 'member' && toMember.length > 0;
  return isPlain ? toMember : [...toMember, { kind: 'change-role', person: id, role }];
}

const ACCOUNTS: [Account, string][] = [
  ['member', 'Member'],
  ['guest', 'Guest'],
  ['channel-guest', 'Guest in one channel'],
];

function InviteForm({ channels, change }: { channels: Channel[]; change: Change }) {
  const [realName, setRealName] = useState('');
  const [name, setName] = useState('');
  const [account, setAccount] = useState<Account>('member');
  const [channel, setChannel] = useState('');
  const open = channels.filter(({ kind, isArchived }) => kind !== 'im' && !isArchived);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isInvited = await change({ kind: 'invite', name, realName, account, channels: channel ? [channel] : [] });
    if (!isInvited) return;
    setRealName('');
    setName('');
  };
  return (
    <form className="row-form" aria-label="Invite a person" onSubmit={(event) => void submit(event)}>
      <h3>Invite a person</h3>
      <Field label="Full name">
        <input className="field" value={realName} onChange={({ target }) => setRealName(target.value)} />
      </Field>
      <Field label="Handle">
        <input className="field" value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Invite as">
        <select className="field" value={account} onChange={({ target }) => setAccount(asAccount(target.value))}>
          {ACCOUNTS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      <Field label="To the channel">
        <select className="field" value={channel} onChange={({ target }) => setChannel(target.value)}>
          <option value="">None in particular</option>
          {open.map(({ id, name: called }) => (
            <option key={id} value={id}>
              #{called}
            </option>
          ))}
        </select>
      </Field>
      <button type="submit" className="button button-primary">
        Invite
      </button>
    </form>
  );
}

function asAccount(value: string): Account {
  return ACCOUNTS.find(([account]) => account === value)?.[0] ?? 'member';
}
