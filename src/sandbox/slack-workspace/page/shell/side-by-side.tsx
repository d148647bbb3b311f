import { useEffect, useState } from 'react';
import type { Member } from '../../people-api.ts';
import { fetchMembers } from '../state/requests.ts';
import { showSideBySide } from '../state/side-by-side.ts';
import { Icon } from './icon.tsx';

/** The workspace as several members see it, each in a page of their own. */
export function SideBySide({ ids }: { ids: string[] }) {
  const [members, setMembers] = useState<Member[]>([]);
  useEffect(() => {
    document.title = 'Side by side';
    fetchMembers().then(
      (choice) => setMembers(choice.members),
      () => undefined,
    );
  }, []);
  const nameOf = (id: string) => members.find((member) => member.id === id)?.realName ?? id;
  return (
    <main className="side-by-side" aria-label="Side by side">
      {ids.map((id) => (
        <section key={id} className="beside" aria-label={nameOf(id)}>
          <header className="beside-head">
            <h1>{nameOf(id)}</h1>
            <button
              type="button"
              className="button button-icon"
              aria-label={`Close ${nameOf(id)}`}
              onClick={() => showSideBySide(ids.filter((other) => other !== id))}
            >
              <Icon name="close" />
            </button>
          </header>
          <iframe title={`As ${nameOf(id)}`} src={`/?as=${encodeURIComponent(id)}${location.hash}`} />
        </section>
      ))}
    </main>
  );
}
