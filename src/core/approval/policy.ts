/** Who clicks, as Slack vouches for it: the person's own workspace and the one the app is installed in. */
interface Clicker {
  teamId: string | null;
  installedTeamId: string | null;
}

/**
 * Whether somebody may decide. People of other organisations see a shared channel's cards but can't decide, and somebody
 * whose workspace is not known can't either.
 */
export function mayDecide({ teamId, installedTeamId }: Clicker): boolean {
  return teamId !== null && installedTeamId !== null && teamId === installedTeamId;
}
