import type { Crew, RulesOf } from '../../core/crew.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { PersonSettingsStore } from '../../core/inbox/person-settings.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Rendering } from '../../core/messages/post.ts';
import type { ActivityLog, OutputStore } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';
import type { Identity } from '../api/identity.ts';
import type { NamesOf, People } from '../api/users.ts';
import type { ListDirectory, SlackDirectory } from '../directory/directory.ts';
import type { FindChange } from '../features/compare/summary.ts';
import type { Say } from '../language/say.ts';
import type { Mention } from '../ui/person.ts';

/** What messages are made from besides the state. */
export interface RenderPorts extends SlackDirectory, ListDirectory {
  outputs: OutputStore;
  findChange: FindChange;
  activity: ActivityLog;
  crews: ReadonlyMap<string, Crew>;
  rulesOf: RulesOf;
  identity: Identity;
  namesOf: NamesOf;
  languageOf: People['languageOf'];
  timeZoneOf: People['timeZoneOf'];
  settings: Pick<PersonSettingsStore, 'find' | 'all'>;
}

export interface Wanted {
  execution: Execution;
  message: Message;
  rendering: Rendering;
  /** Whom a card mentions while it is open. */
  mentions: readonly Mention[];
  now: Millis;
}

/** The same, with the words of the crew's language. */
export interface WantedInWords extends Wanted {
  say: Say;
}
