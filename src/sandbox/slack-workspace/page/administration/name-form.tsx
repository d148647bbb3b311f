import { type FormEvent, useState } from 'react';

type Props = { label: string; first: string; save(name: string): Promise<boolean> };

/** A name that is changed in its place. */
export function NameForm({ label, first, save }: Props) {
  const [name, setName] = useState(first);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(name);
  };
  return (
    <form className="name-form" onSubmit={submit}>
      <input
        className="field field-short"
        aria-label={label}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="button" disabled={name === first}>
        Rename
      </button>
    </form>
  );
}
