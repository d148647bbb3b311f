import { expect, it } from 'vitest';
import { callbackSettings, crewAddress } from '../../src/crew/credentials.ts';
import { webhookAddress } from '../../src/webhook.ts';
import { credentials } from './crew-values.ts';

const REF = 'abcdefghijklmnopqrstuvwxyz';
const source = { publicUrl: 'https://bot.example.org/signoff/', credentials, webhookAuth: 'bearer' as const };

it('names all four webhooks at the addresses of the contract', () => {
  const settings = callbackSettings(source, { ref: REF, hop: 2 });
  const token = credentials.pathToken({ ref: REF, hop: 2 });
  expect(settings).toEqual({
    humanInputWebhook: {
      url: `https://bot.example.org/signoff/webhooks/executions/${REF}/human-input`,
      authentication: credentials.ofExecution({ ref: REF, hop: 2 }, 'bearer'),
    },
    taskWebhookUrl: `https://bot.example.org/signoff/webhooks/executions/${REF}/${token}/task`,
    stepWebhookUrl: `https://bot.example.org/signoff/webhooks/executions/${REF}/${token}/step`,
    crewWebhookUrl: `https://bot.example.org/signoff/webhooks/executions/${REF}/${token}/crew`,
    meta: { signoff_ref: REF },
  });
});

it('gives a user name and a password where basic credentials are set', () => {
  const settings = callbackSettings({ ...source, webhookAuth: 'basic' }, { ref: REF, hop: 1 });
  expect(settings.humanInputWebhook.authentication).toMatchObject({ strategy: 'basic', username: 'signoff-1' });
});

it('escapes the name of a crew', () => {
  expect(crewAddress('https://bot.example.org', 'a/b ü')).toBe(
    'https://bot.example.org/webhooks/crews/a%2Fb%20%C3%BC/human-input',
  );
});

it.each(['bearer', 'basic'] as const)(
  'shows the address of a crew with its %s credentials for pasting',
  (webhookAuth) => {
    const text = webhookAddress('research', { ...source, webhookAuth });
    const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
    expect(JSON.parse(body)).toEqual({
      humanInputWebhook: {
        url: 'https://bot.example.org/signoff/webhooks/crews/research/human-input',
        authentication: credentials.ofCrew('research', webhookAuth),
      },
    });
  },
);
