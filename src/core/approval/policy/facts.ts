/** What Slack says about one person. */
export interface Account {
  /**
   * All ids and e-mail addresses by which Slack knows this person: people may have a second account in a shared channel.
   * In lower case, but for ids.
   */
  identities: readonly string[];
  isBot: boolean;
  isDeactivated: boolean;
  /** A single-channel or multi-channel guest of our own workspace. */
  isGuest: boolean;
  /** Of another organisation, in a shared channel. */
  isStranger: boolean;
}

/** What was found out at the edge before a policy is asked. Whatever Slack couldn't tell is null, and counts against people. */
export interface Facts {
  /** By the person's id. */
  accounts: Readonly<Record<string, Account | null>>;
  /** The ids of the people whom an approver stands for, by its name; not for those that needn't be looked up. */
  members: Readonly<Record<string, ReadonlySet<string> | null>>;
  /** The ids of those who have connected a token of their own to the crew; null if it isn't required or isn't known. */
  connected: ReadonlySet<string> | null;
}

export const NO_FACTS: Facts = { accounts: {}, members: {}, connected: null };
