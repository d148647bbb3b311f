import { type FormEvent, useState } from 'react';
import type { Account } from '../../administration/change.ts';
import type { Channel } from '../../people-api.ts';
import { Field } from './field.tsx';
import type { Change } from './use-change.ts';

const ACCOUNTS: [Account, string][] = [
  ['member', 'Member'],
  ['guest', 'Guest'],
  ['channel-guest', 'Guest in one channel'],
];

export function InviteForm({ channels, change }: { channels: Channel[]; change: Change }) {
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
