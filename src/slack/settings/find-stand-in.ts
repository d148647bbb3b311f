import type { Person } from '../../core/approval/approval.ts';
import type { Account } from '../../core/approval/policy/facts.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import { cutLine } from '../ui/text/cut.ts';

/** Who is to stand in for a person, or why they can't; plain text. */
export async function findStandIn(
  { directory, people }: Pick<ListenerContext, 'directory' | 'people'>,
  { standInId, by, say }: { standInId: string; by: Person; say: Say },
): Promise<Result<Person, string>> {
  const account = await directory.account(standInId);
  const standIn = { id: standInId, name: await people.nameOf({ id: standInId, name: standInId }) };
  const who = cutLine(standIn.name, 80);
  const problem = account ? problemWith(account, by) : 'settings.stand-in-unsure';
  return problem === null ? ok(standIn) : refuse(say(problem, { who }));
}

/** Guests and strangers decide only what names them, which is never what was handed over. */
function problemWith(account: Account, by: Person) {
  if (account.identities.includes(by.id)) return 'settings.stand-in-yourself';
  if (account.isBot) return 'settings.stand-in-bot';
  if (account.isDeactivated) return 'settings.stand-in-deactivated';
  if (account.isStranger) return 'settings.stand-in-stranger';
  return account.isGuest ? 'settings.stand-in-guest' : null;
}
