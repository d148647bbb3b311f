// Asks in Slack whether something may be deployed, with the Chat SDK over HTTP.
import { createServer } from 'node:http';
import { createSlackAdapter } from '@chat-adapter/slack';
import { createMemoryState } from '@chat-adapter/state-memory';
import { Actions, Button, Card, CardText, Chat, emoji, Modal, TextInput } from 'chat';

// Address and secrets are in the environment.
const slack = createSlackAdapter();
const chat = new Chat({ userName: 'deploy', adapters: { slack }, state: createMemoryState() });
/** @type {string[]} */
const decisions = [];

chat.onSlashCommand('/deploy', async ({ channel, text }) => {
  const buttons = [
    Button({ id: 'approve', label: 'Approve', value: text }),
    Button({ id: 'reject', label: 'Reject', value: text }),
  ];
  await channel.post(Card({ children: [CardText(`Deploy ${text}?`), Actions(buttons)] }));
});

chat.onAction(['approve', 'reject'], async ({ actionId, adapter, messageId, thread, threadId, user, value }) => {
  const decision = `${value} was ${actionId === 'approve' ? 'approved' : 'rejected'} by <@${user.userId}>.`;
  decisions.push(decision);
  await adapter.editMessage(threadId, messageId, Card({ children: [CardText(decision)] }));
  if (actionId === 'reject') return;
  const report = Button({ id: 'report', label: 'Report', value });
  await thread?.post(Card({ children: [CardText('How did it go?'), Actions([report])] }));
});

chat.onAction('report', async ({ openModal, threadId }) => {
  const result = TextInput({ id: 'result', label: 'Result', multiline: true });
  const modal = { callbackId: 'report', title: 'Report', submitLabel: 'Send', privateMetadata: threadId };
  await openModal(Modal({ ...modal, children: [result] }));
});

chat.onModalSubmit('report', async ({ adapter, privateMetadata: threadId = '', values: { result = '' } }) => {
  if (result.length < 10) return { action: 'errors', errors: { result: 'Write a whole sentence.' } };
  const files = [{ filename: 'report.txt', data: Buffer.from(result) }];
  await chat.thread(threadId).post({ markdown: 'The report', files });
  const root = threadId.split(':').at(-1) ?? '';
  await adapter.addReaction(threadId, root, emoji.check);
  return undefined;
});

chat.onAppHomeOpened(async ({ userId }) => {
  const blocks = decisions.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }));
  await slack.publishHomeView(userId, { type: 'home', blocks });
});

createServer(async (request, response) => {
  const chunks = await request.toArray();
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  const answer = await chat.webhooks.slack(
    new Request(`http://127.0.0.1${request.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}).listen(Number(process.env.PORT));
