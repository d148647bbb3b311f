import type { CrewService } from '../../src/sandbox/crew-service/service.ts';

/** A task of a crew's newest run asks for human input, as the service notifies of it. */
export async function asksForInput(
  { sandbox }: CrewService,
  crew: string,
  asked: { task_id: string; task_output: string },
): Promise<void> {
  const kickoff = (await sandbox.requests()).findLast((each) => each.crew === crew && each.route === 'kickoff');
  const { url, authentication } = JSON.parse(kickoff?.body ?? '{}').humanInputWebhook;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${authentication.token}` };
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(asked) });
  if (status !== 200) throw new Error(`the bot answered ${status}`);
}
