/**
 * People whom a policy names, as the crews file writes them: a person by id (`U0123ABC`) or e-mail address, a user group by
 * id (`S0456DEF`) or handle (`@leads`), the members of the channel that the card is in, or those of the workspace.
 */
export interface Approver {
  kind: 'person' | 'email' | 'group' | 'handle' | 'channel' | 'workspace';
  name: string;
}

export const WORKSPACE: Approver = { kind: 'workspace', name: 'workspace' };

/** https://docs.slack.dev/reference/objects/user-object and /usergroup-object */
const SHAPES: readonly (readonly [RegExp, Approver['kind']])[] = [
  [/^channel$/, 'channel'],
  [/^workspace$/, 'workspace'],
  [/^[UW][A-Z0-9]{2,}$/, 'person'],
  [/^S[A-Z0-9]{2,}$/, 'group'],
  [/^@[^\s@<>!]{1,80}$/, 'handle'],
  [/^[^\s@<>,]+@[^\s@<>,]+\.[^\s@<>,]+$/, 'email'],
];

/** Null if it is none of the shapes. */
export function parseApprover(name: string): Approver | null {
  const shape = SHAPES.find(([pattern]) => pattern.test(name));
  return shape ? { kind: shape[1], name } : null;
}

/** Whether Slack has to be asked whom it stands for. */
export function mustBeLookedUp({ kind }: Approver): boolean {
  return kind !== 'person' && kind !== 'workspace';
}
