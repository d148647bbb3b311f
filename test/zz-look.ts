import { createRemoteClient } from '../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson } from '../src/sandbox/slack-workspace/driver/person.ts';
import { launchBrowser } from './support/browser.ts';
const browser = await launchBrowser();
const maria = createPerson(createRemoteClient('http://localhost:5300/'), 'UMARIA001');
const jon = createPerson(createRemoteClient('http://localhost:5300/'), 'UJON00002');
const variants = { light: [1280, 'light'], dark: [1280, 'dark'], phone: [390, 'light'], phonedark: [390, 'dark'] } as const;
async function shoot(stage: string, root: { channel: string; ts: string }) {
  for (const [name, [width, scheme]] of Object.entries(variants)) {
    const page = await (await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme })).newPage();
    await page.goto(`http://localhost:5300/?as=UMARIA001#/${root.channel}/p${root.ts.replace('.', '')}?thread_ts=${root.ts}`);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/shot-${stage}-${name}.png` });
    await page.close();
  }
}
await maria.command('#releases', '/kickoff', 'release-notes');
await maria.submit();
const root = await maria.sees('#releases', /release-notes: Running/);
await maria.seesStatus(root, /./).catch((e) => console.log(String(e).slice(0, 200)));
await shoot('status', root);
const card = await maria.seesInThread(root, 'Approval needed');
await shoot('card', root);
await maria.click('Approve', { in: card });
await jon.command('#releases', '/kickoff', 'status').catch(() => {});
await new Promise((r) => setTimeout(r, 6000));
await shoot('later', root);
console.log(await maria.screen());
await browser.close();
