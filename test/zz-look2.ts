import { createRemoteClient } from '../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson } from '../src/sandbox/slack-workspace/driver/person.ts';
const maria = createPerson(createRemoteClient('http://localhost:5300/'), 'UMARIA001');
await maria.command('#releases', '/kickoff', 'release-notes');
await maria.submit();
const t0 = Date.now();
let last = '';
while (Date.now() - t0 < 12000) {
  const seen = await maria.snapshot();
  const now = JSON.stringify(seen.statuses);
  if (now !== last) console.log(Date.now() - t0, now, seen.messages.C0RELEASE2?.at(-1)?.text.slice(0, 80));
  last = now;
}
const root = await maria.sees('#releases', /release-notes: W/);
await maria.click('Show activity', { in: root });
console.log(JSON.stringify((await maria.modal())?.blocks).slice(0, 600));
