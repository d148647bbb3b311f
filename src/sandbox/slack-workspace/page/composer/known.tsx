import { createContext, useContext } from 'react';
import type { Member, Shortcut, SlashCommand, UserGroup } from '../../people-api.ts';

/** What the composer can suggest. */
type Known = { commands: SlashCommand[]; members: Member[]; groups: UserGroup[]; globalShortcuts: Shortcut[] };

const KnownContext = createContext<Known>({ commands: [], members: [], groups: [], globalShortcuts: [] });
export const KnownProvider = KnownContext.Provider;

export function useKnown(): Known {
  return useContext(KnownContext);
}
