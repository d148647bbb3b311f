// Thirty outputs such as crews ask people about every day, with what somebody has to read before they decide.
import type { Json } from '../../../src/core/values/json.ts';
import { CHURN_REPORT } from './churn-report.ts';

export interface EverydayOutput {
  /** Names the crew, and the pictures. */
  name: string;
  task: string;
  agent: string;
  /** The input of the run. */
  topic: string;
  output: Json;
  /** What somebody must have read before they approve: the words as they stand on the card, without markup. */
  matter: readonly string[];
  /** What comes back after a rejection. */
  second?: {
    feedback: string;
    output: Json;
    /** What the card must say of the difference: the words that came, and those that went. */
    change: { added: readonly string[]; removed: readonly string[] };
  };
}

/** A call as the examples for the OpenAI Agents SDK ask about it. */
function toolCall(name: string, args: Json): string {
  return `${name}\n\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``;
}

const PATCH_NOTES = `# Harbour 2.4.1

A release of fixes. Nothing has to be configured anew.

**Restart all processes at once:** 2.4.0 and 2.4.1 can't work on the same queue.

## Fixed

- Invoices in Swiss francs are rounded to five centimes again (4f2e9ab)
- The export of a customer no longer stops at the first empty address (b01c7d3)
- A webhook that answers with 410 is switched off, and its owner is told (99ae120)
- Search finds names with an apostrophe, such as O'Neill (7d5510c)

## Known

- Safari 16 shows the calendar a day late in time zones west of UTC. A fix comes with 2.5.
`;

const PATCH_NOTES_2 = `# Harbour 2.4.1

A release of fixes. Nothing has to be configured anew.

**Restart all processes at once:** 2.4.0 and 2.4.1 can't work on the same queue. You can go back to 2.4.0 at any time.

## Fixed

- Invoices in Swiss francs are rounded to five centimes again
- The export of a customer no longer stops at the first empty address
- A webhook that answers with 410 is switched off, and its owner is told
- Search finds names with an apostrophe, such as O'Neill
`;

const MAJOR_NOTES = `# Harbour 3.0

Version 3 stores orders in one table instead of eleven. It deletes the old tables afterwards, so going back needs a backup.

**Breaking:** \`GET /v1/orders\` is gone. Clients have to use \`/v2/orders\` from 1 December on.

## Upgrade

1. Take a backup, and try to restore it on another machine.
2. Run \`harbour migrate --check\`. It lists orders that don't fit the new table.
3. Run \`harbour migrate\`. No downtime is expected.
4. Start version 3.

## New

- **Partial deliveries.** An order may have any number of deliveries, each with its own address and invoice.
- **Comments on lines.** Whoever packs an order can write what was replaced, and the customer reads it in the mail.
- **A calendar of deliveries**, which every warehouse can subscribe to by iCal.
- **Search** in orders, customers and deliveries at once, with filters for state, country and warehouse.
- **Roles.** What somebody may see and change can be set for each warehouse.

## Changed

- Prices have four decimals inside, and are rounded once, on the invoice.
- Orders without a delivery address are drafts. They don't reserve stock any more.
- The statistics count an order on the day on which it was paid, not on which it was placed.
- The time zone of a warehouse decides what "today" means in its lists.

## Fixed

- A discount that was changed while an order was open counted twice.
- Orders that were placed in the night of a clock change appeared an hour late.
- A delivery to the Canary Islands was taxed as one to the mainland.
- The mail about a delay was sent again whenever somebody opened the order.
- CSV exports had commas as decimal marks for users with German settings, and columns moved.

## Removed

- The \`legacy_order\` webhook. Its successor has been there since 2.2.
- Printing on A5 from the old editor.
- The importer for files of version 1.
`;

const MIGRATION_STEP = 'The migration takes about 20 minutes, in which orders can be read but not placed.';

const SEND_EMAIL = {
  to: 'accounts@northwind.example',
  cc: 'lena.brandt@harbour.example',
  subject: 'Invoice 2026-1184: two positions were billed twice',
  body: `Dear Ms Okafor,

you are right: positions 4 and 5 of invoice 2026-1184 were billed in October already. I am sorry for the trouble.

We credit EUR 480.00 to your next invoice. You don't have to do anything, and the payment deadline of the rest stays 15 December.

Kind regards
Harbour Accounts`,
  attachments: ['invoice-2026-1184-corrected.pdf'],
};

const DELETE_ROWS = {
  approval_context:
    'Finance asked to remove cancelled orders before the audit. I counted them twice, and none has an open invoice.',
  database: 'orders-production',
  table: 'orders',
  where: "status = 'cancelled' AND created_at < '2025-01-01'",
  estimated_rows: 18342,
  cascade: ['order_lines', 'deliveries'],
  backup: null,
};

const REFUND = {
  tool: 'issue_refund',
  arguments: {
    customer: { id: 'cus_88121', name: 'Ingrid Solberg', email: 'ingrid.solberg@fjord.example' },
    order: 'A-55102',
    amount: { value: '480.00', currency: 'EUR' },
    method: 'original_payment',
    reason: 'The desk arrived with a broken leg, and the replacement is out of stock until February.',
    notify_customer: true,
  },
};

const DEPLOY = {
  action_requests: [
    {
      name: 'deploy_service',
      args: {
        service: 'checkout',
        image: 'registry.harbour.example/checkout:2026.11.28-4',
        environment: 'production-eu',
        strategy: { type: 'canary', percent: 10, pause_minutes: 15 },
        migrations: ['20261127_drop_legacy_sessions'],
        rollback_to: '2026.11.27-1',
      },
      description: 'All 412 tests pass. Error rate on staging is 0.02% over the last two hours.',
    },
  ],
  review_configs: [{ action_name: 'deploy_service', allowed_decisions: ['approve', 'reject'] }],
};

const post = (text: string) => ({
  network: 'linkedin',
  account: 'Harbour Logistics',
  text,
  image: 'https://cdn.harbour.example/press/rotterdam.jpg',
  publish_at: '2026-12-01T09:00:00+01:00',
});

const POST_TEXT = `We open our third warehouse! 🚢

From Monday on, everything between Antwerp and Hamburg is delivered from Rotterdam, within 24 hours, guaranteed.

#logistics #rotterdam`;
const POST_TEXT_2 = `We open our third warehouse! 🚢

From Monday on, nine of ten parcels between Antwerp and Hamburg arrive from Rotterdam the next day.

#logistics #rotterdam`;

const REFUND_REVIEW = {
  request: 'RR-2026-0917',
  customer: { name: 'Café Lumière SARL', since: '2019-04-02', orders: 214, refunds_last_year: 1 },
  order: { id: 'A-54871', placed: '2026-11-03', total: 1264.8, currency: 'EUR' },
  claim: 'Two of the six espresso grinders don’t start.',
  evidence: ['photo_1.jpg', 'photo_2.jpg', 'serial numbers match the delivery'],
  policy: { within_days: 30, days_passed: 21, needs_return: true },
  recommendation: 'Refund 421.60 EUR and ask for the two grinders back.',
  fraud_score: 0.04,
};

const INVOICES = {
  run: 'Reminders of November',
  total_overdue_eur: 48210.5,
  invoices: [
    {
      number: 'INV-20431',
      customer: 'Blauwe Haven BV',
      amount_eur: 22140,
      days_overdue: 94,
      action: 'hand over to collections',
    },
    {
      number: 'INV-20512',
      customer: 'Café Lumière SARL',
      amount_eur: 9310.5,
      days_overdue: 61,
      action: 'second reminder',
    },
    { number: 'INV-20544', customer: 'Nordlys AS', amount_eur: 8420, days_overdue: 38, action: 'second reminder' },
    {
      number: 'INV-20561',
      customer: 'Zephyr Robotics GmbH',
      amount_eur: 5200,
      days_overdue: 16,
      action: 'first reminder',
    },
    { number: 'INV-20570', customer: 'Ana Petrović PR', amount_eur: 3140, days_overdue: 15, action: 'first reminder' },
  ],
};

const configOf = (memory: string) => ({
  service: 'checkout',
  owner: 'team-payments',
  environments: {
    production: {
      replicas: { min: 6, max: 24 },
      resources: { cpu: '2', memory },
      flags: { payments_v2: true, three_d_secure: 'always', guest_checkout: false },
      limits: { requests_per_second: 400, burst: 800 },
    },
    staging: { replicas: { min: 1, max: 2 }, resources: { cpu: '500m', memory: '1Gi' }, flags: { payments_v2: true } },
  },
});

const COMPLAINT = `Subject: Re: Third delay in a row

Dear Mr Haddad,

thank you for telling us so plainly. Three late deliveries in one month are not what you pay for.

The parcels were held at the border because our customs broker entered a wrong code. We have changed the broker, and your next two deliveries go by express at our cost.

For the three delays we credit 10% of your November invoice, which is EUR 1,326.40.

If anything is late again, call me directly: +31 10 555 01 40.

Kind regards,
Sanne de Vries
`;

const COMPLAINT_2 = `Subject: Re: Third delay in a row

Dear Mr Haddad,

thank you for telling us so plainly. Three late deliveries in one month are not what you pay for.

The parcels were held at the border because our customs broker entered a wrong code. We have changed the broker, and your next two deliveries go by express at our cost.

For the three delays we credit the freight of these deliveries, which is EUR 214.00.

If anything is late again, call me directly: +31 10 555 01 40.

Kind regards,
Sanne de Vries
`;

const NEWSLETTER = `Subject: Your warehouse in December: later cut-off, lower prices

Hello {{first_name}},

until 23 December you can order until 6 pm instead of 2 pm, and everything leaves the same day. Storage costs 15% less for contracts that are renewed before the end of the year.

**What else is new**

- *Partial deliveries*: send what is there, and the rest later, without a second order.
- *The calendar*: subscribe to your deliveries in Outlook or Google Calendar.
- *Returns*: your customers print the label themselves, and you see the parcel when it is on its way.

**Closed on holidays**

All warehouses are closed on 25 and 26 December and on 1 January. Orders of these days leave on the next working day.

**From our blog**

Why a parcel to Malta takes longer than one to Sicily, what the new customs form means for sets of goods, and how a bakery in Ghent ships cakes that arrive in one piece.

You get this mail because you have an account at Harbour. [Unsubscribe]({{unsubscribe_url}})

Harbour Logistics, Maashaven 12, Rotterdam
`;

const TERMINATION = `Subject: Termination of framework agreement FA-2021-07

Dear Mr Lindqvist,

we refer to the framework agreement FA-2021-07 of 12 July 2021 and to our talks in September.

We hereby terminate the agreement with effect from 31 March 2027. The notice period of four months in section 14.2 is kept by this letter.

Orders that were placed before that day will be fulfilled and paid as agreed. Please let us have a list of the tools and moulds that belong to us by 15 January 2027, so that we can arrange their collection.

We thank you for five years of good work, and would be glad to hear from you should your capacities change.

Yours sincerely,
Harbour Logistics, Procurement
`;

const CLEAN_UP_SQL = `The sessions of users who left before 2024 are copied to the archive. The job deletes the originals afterwards.

\`\`\`sql
INSERT INTO archive.sessions
SELECT s.* FROM sessions s JOIN users u ON u.id = s.user_id
WHERE u.left_at < DATE '2024-01-01';

DELETE FROM sessions USING users u
WHERE u.id = user_id AND u.left_at < DATE '2024-01-01';
\`\`\`

Run on a copy of yesterday evening:

| step | rows | seconds |
|---|---:|---:|
| copied | 2,184,533 | 71 |
| deleted | 2,184,533 | 164 |
`;

const migrationSql = (drop: string, note: string) => `${note}

\`\`\`sql
ALTER TABLE customers ADD COLUMN iban_encrypted bytea;
UPDATE customers SET iban_encrypted = encrypt(legacy_iban) WHERE legacy_iban IS NOT NULL;
${drop}
\`\`\`

| check | result |
|---|---:|
| customers with an IBAN | 41,207 |
| encrypted and decrypted again | 41,207 |
| different afterwards | 0 |
`;

const TERRAFORM_DIFF = `\`\`\`diff
--- a/infra/database.tf
+++ b/infra/database.tf
@@ -14,9 +14,9 @@ resource "aws_db_instance" "orders" {
   engine                 = "postgres"
-  engine_version         = "15.8"
+  engine_version         = "16.4"
   instance_class         = "db.r6g.xlarge"
   allocated_storage      = 500
-  deletion_protection    = true
+  deletion_protection    = false
   backup_retention_period = 14
   multi_az               = true
 }
\`\`\`
`;

const CODE_DIFF = `\`\`\`diff
diff --git a/src/billing/discount.ts b/src/billing/discount.ts
index 81c2f0e..d3a9b17 100644
--- a/src/billing/discount.ts
+++ b/src/billing/discount.ts
@@ -21,7 +21,7 @@ export function discountOf(order: Order, customer: Customer): Money {
   const tier = tierOf(customer);
-  if (order.total.amount < tier.minimum) return zero(order.currency);
+  if (order.total.amount <= tier.minimum) return zero(order.currency);
   return percent(order.total, tier.percent);
 }
diff --git a/test/billing/discount.test.ts b/test/billing/discount.test.ts
index 5f0b3c2..9e41a66 100644
--- a/test/billing/discount.test.ts
+++ b/test/billing/discount.test.ts
@@ -40,6 +40,10 @@ describe('a discount', () => {
     expect(discountOf(order(1_000), gold)).toEqual(eur(100));
   });
+
+  it('is not given at the minimum itself', () => {
+    expect(discountOf(order(500), silver)).toEqual(eur(0));
+  });
 });
\`\`\`
`;

const CLEAN_UP_SCRIPT = `\`\`\`python
"""Removes exports of customers that nobody has fetched for 90 days."""
import datetime as dt

import boto3

BUCKET = "harbour-exports-prod"
LIMIT = dt.datetime.now(dt.timezone.utc) - dt.timedelta(days=90)

s3 = boto3.resource("s3")
bucket = s3.Bucket(BUCKET)

old = [o for o in bucket.objects.filter(Prefix="exports/") if o.last_modified < LIMIT]
print(f"{len(old)} exports, {sum(o.size for o in old) / 1e9:.1f} GB")

for export in old:
    export.delete()
\`\`\`

It ran with \`print\` alone yesterday: 11,904 exports, 812.3 GB. Versioning is off in this bucket, so that nothing can be brought back.
`;

const approvalLimit = (limit: string) => `\`\`\`ts
/** Whether a person has to approve this order before it is placed. */
export function needsApproval({ total, supplier }: PurchaseOrder): boolean {
  if (supplier.isNew) return true;
  return total.eur > ${limit};
}
\`\`\`

Called by the nightly job and by the form. Both have tests.
`;

const PRICE_TABLE = `Prices from 1 January 2027, for all customers without a contract:

| Parcel | today | from January |
|---|---:|---:|
| up to 2 kg | € 4.90 | € 5.20 |
| up to 10 kg | € 7.40 | € 7.90 |
| up to 31 kg | € 12.80 | € 14.90 |
| pallet | € 68.00 | € 74.50 |
`;

const SUPPLIER_TABLE = `| Supplier | Country | Category | Spend 2026 | On time | Defects | Score | Contract until | Proposal |
|---|---|---|---:|---:|---:|---:|---|---|
| Blauwe Haven | NL | Packaging | € 412,300 | 98% | 0.2% | 94 | 2028-06-30 | keep |
| Nordlys | NO | Pallets | € 188,040 | 96% | 0.4% | 90 | 2027-03-31 | keep |
| Zephyr Robotics | DE | Scanners | € 96,500 | 91% | 1.1% | 78 | 2027-01-31 | renegotiate |
| Costa Verde | ES | Labels | € 61,220 | 74% | 3.9% | 51 | 2026-12-31 | terminate |
| Petrović | RS | Uniforms | € 18,900 | 99% | 0.0% | 96 | 2027-09-30 | keep |
`;

const INCIDENT = `# Double charges on 24 November 2026

**Severity 1** · 09:12 to 11:47 UTC · written by the incident crew for customers and the supervisor

## Summary

312 customers were charged twice for the same order, EUR 41,870 in all. We refund all of them today, and nobody has to ask for it. No card data was seen by anybody.

## What happened

At 09:12 the payment service was updated to 2026.11.24-2. The new version sends the charge again if the bank doesn't answer within 8 seconds. Until then it had waited for 30 seconds. The bank was slow that morning and answered after 9 to 12 seconds, so that both charges went through.

The second attempt had a key of its own, so the bank couldn't recognise it as the same charge. The key was made anew in each attempt since a change of 3 November, which nobody had noticed, as the old limit was never reached.

## Timeline (UTC)

- 09:12 Update of the payment service
- 09:40 First customer writes to support
- 10:05 Support finds a second one, and alerts the payments team
- 10:31 The team sees the slow bank, and takes it for the cause
- 11:20 A developer finds two keys for one order
- 11:47 Back to 2026.11.24-1. No double charges since then

## What we change

1. The key is made from the order, and stored before the first attempt. *Done.*
2. A test lets the bank answer late in each attempt. *Done.*
3. An alarm on two charges for one order within an hour. *By 2 December.*
4. Support can stop an update by itself. *By 15 December.*

## What went well

The customer's first message reached an engineer in 25 minutes. Going back took four minutes.
`;

const LIABILITY = `## 11. Limitation of liability

11.1 Nothing in this Agreement limits or excludes a party's liability for death or personal injury caused by its negligence, for fraud, or for anything else for which liability can't be limited by law.

11.2 Subject to clause 11.1, neither party is liable for loss of profit, loss of goodwill, or any indirect or consequential loss, whether or not it was foreseeable.

11.3 Subject to clause 11.1, the Supplier's total liability under this Agreement is limited to EUR 50,000 in each contract year, regardless of the number of claims.

11.4 The limit in clause 11.3 doesn't apply to the Customer's obligation to pay the Charges, nor to breaches of clause 9 (Confidentiality).

11.5 Claims expire twelve months after the party that makes them could first have known of their cause.
`;

const PRESS_RELEASE = `# Harbour eröffnet Lager in Rotterdam

**Rotterdam, 30. November 2026.** Harbour Logistics nimmt am Montag sein drittes Lager in Betrieb. Auf 14.000 Quadratmetern entstehen 120 Arbeitsplätze.

Händlerinnen und Händler zwischen Antwerpen und Hamburg erhalten ihre Ware künftig am nächsten Tag. „Unsere Kundschaft will nicht drei Tage warten, und das muss sie jetzt auch nicht mehr“, sagt Geschäftsführerin Sanne de Vries.

Das Unternehmen hat 9 Millionen Euro investiert. Das Dach trägt eine Solaranlage, die das Lager zu vier Fünfteln mit Strom versorgt.

Harbour verarbeitet 40.000 Sendungen am Tag und beschäftigt 610 Menschen an drei Standorten.

Kontakt: presse@harbour.example, +31 10 555 01 22
`;

const PRESS_RELEASE_2 = PRESS_RELEASE.replace(
  'Das Unternehmen hat 9 Millionen Euro investiert. Das Dach',
  'Das Land Südholland fördert den Bau mit 1,2 Millionen Euro. Das Dach',
);

const TENANTS = `Betreff: Abstellung des Wassers am 8. Dezember

Liebe Mieterinnen und Mieter,

am Dienstag, dem 8. Dezember, ist das Wasser von 8 bis 13 Uhr in allen Häusern der Uferstraße 10 bis 24 abgestellt. In dieser Zeit werden die Hauptventile getauscht.

Bitte füllen Sie vorher einen Eimer für die Toilettenspülung, und lassen Sie am Nachmittag das Wasser einige Minuten laufen, bevor Sie es trinken.

Die Handwerker brauchen Zutritt zu allen Wohnungen im Erdgeschoss. Wer nicht zu Hause sein kann, gibt den Schlüssel bis Montag, 18 Uhr, bei der Hausverwaltung ab.

Ihre Hausverwaltung
`;

const ARABIC = `# إغلاق المكتب في عطلة العيد الوطني

الزملاء الأعزاء،

يُغلق مكتب دبي يومي الثاني والثالث من ديسمبر بمناسبة العيد الوطني. تُستأنف خدمة العملاء صباح يوم الجمعة الرابع من ديسمبر.

الطلبات التي تصل قبل الساعة 14:00 من يوم الثلاثاء تُشحن في اليوم نفسه، وما يصل بعد ذلك يُشحن يوم الجمعة.

كل عام وأنتم بخير.
`;

const CHINESE = `# 关于调整退货政策的通知

各位客户：

自 2026 年 12 月 15 日起，退货期限由 30 天改为 14 天。已经下单的客户不受影响。

退货商品须保持原包装，并附上订单号。运费由买方承担，商品有质量问题的除外。

退款会在收到退货后 5 个工作日内原路退回。如有疑问，请联系客服：support@harbour.example。
`;

const CHECKLIST = `# Go-live of the new shop, Tuesday 6:00

- [x] Load test with 400 requests a second
- [x] Prices and taxes compared with the old shop, 12,480 products
- [x] Mails in four languages read by native speakers
- [x] Redirects of the 900 most visited pages
- [x] Data protection officer has signed
- [ ] Restore of last night's backup: failed twice, reason unknown
- [x] Payment with all six methods, on a phone too
- [x] Support has the new handbook
- [x] Status page and on-call list are up to date

One of nine is open. I recommend to go live all the same, as the old shop stays available for a week.
`;

/** Sorted as in the table that the test prints. */
export const EVERYDAY_OUTPUTS: readonly EverydayOutput[] = [
  {
    name: 'patch-notes',
    task: 'write_notes',
    agent: 'Release writer',
    topic: 'Harbour 2.4.1',
    output: PATCH_NOTES,
    matter: ["Restart all processes at once: 2.4.0 and 2.4.1 can't work on the same queue."],
    second: {
      feedback: 'Leave out the commit ids and what is not fixed. Say that customers can go back.',
      output: PATCH_NOTES_2,
      change: {
        added: ['You can go back to 2.4.0 at any time.'],
        removed: ['Safari 16 shows the calendar'],
      },
    },
  },
  {
    name: 'major-notes',
    task: 'write_notes',
    agent: 'Release writer',
    topic: 'Harbour 3.0',
    output: MAJOR_NOTES,
    matter: [
      'It deletes the old tables afterwards, so going back needs a backup.',
      'Clients have to use /v2/orders from 1 December on.',
    ],
    second: {
      feedback: 'It isn’t true that there is no downtime. Ask the database team.',
      output: MAJOR_NOTES.replace('No downtime is expected.', MIGRATION_STEP),
      change: {
        added: ['about 20 minutes, in which orders can be read but not placed'],
        removed: ['No downtime is expected.'],
      },
    },
  },
  {
    name: 'send-email',
    task: 'send_email',
    agent: 'Accounts assistant',
    topic: 'Northwind',
    output: toolCall('send_email', SEND_EMAIL),
    matter: ['accounts@northwind.example', 'We credit EUR 480.00 to your next invoice.'],
    second: {
      feedback: 'They want the money back, not a credit.',
      output: toolCall('send_email', {
        ...SEND_EMAIL,
        body: SEND_EMAIL.body.replace(
          'We credit EUR 480.00 to your next invoice.',
          'We transfer EUR 480.00 to your account this week.',
        ),
      }),
      change: { added: ['account this week'], removed: ['next invoice'] },
    },
  },
  {
    name: 'delete-rows',
    task: 'delete_rows',
    agent: 'Data assistant',
    topic: 'Before the audit',
    output: DELETE_ROWS,
    matter: ['orders-production', "status = 'cancelled' AND created_at < '2025-01-01'", '18342'],
  },
  {
    name: 'issue-refund',
    task: 'issue_refund',
    agent: 'Support assistant',
    topic: 'Order A-55102',
    output: REFUND,
    matter: ['Ingrid Solberg', '480.00', 'The desk arrived with a broken leg'],
    second: {
      feedback: 'Half of it is enough: she keeps the desk.',
      output: { ...REFUND, arguments: { ...REFUND.arguments, amount: { value: '240.00', currency: 'EUR' } } },
      change: { added: ['240.00'], removed: ['480.00'] },
    },
  },
  {
    name: 'deploy-service',
    task: 'deploy',
    agent: 'Release engineer',
    topic: 'checkout',
    output: DEPLOY,
    matter: ['production-eu', '20261127_drop_legacy_sessions', '2026.11.27-1'],
  },
  {
    name: 'publish-post',
    task: 'publish_post',
    agent: 'Social media assistant',
    topic: 'Rotterdam',
    output: toolCall('publish_post', post(POST_TEXT)),
    matter: ['Harbour Logistics', 'delivered from Rotterdam, within 24 hours, guaranteed.', '2026-12-01'],
    second: {
      feedback: 'We guarantee nothing. Say what we measured.',
      output: toolCall('publish_post', post(POST_TEXT_2)),
      change: { added: ['nine of ten parcels', 'the next day'], removed: ['within 24 hours, guaranteed'] },
    },
  },
  {
    name: 'refund-review',
    task: 'review_claim',
    agent: 'Claims reviewer',
    topic: 'RR-2026-0917',
    output: REFUND_REVIEW,
    matter: ['Two of the six espresso grinders don’t start.', 'Refund 421.60 EUR and ask for the two grinders back.'],
  },
  {
    name: 'invoice-list',
    task: 'plan_reminders',
    agent: 'Accounts assistant',
    topic: 'November',
    output: INVOICES,
    matter: ['48210.5', 'Blauwe Haven BV', 'hand over to collections'],
  },
  {
    name: 'service-config',
    task: 'change_config',
    agent: 'Platform assistant',
    topic: 'checkout',
    output: configOf('2Gi'),
    matter: ['payments_v2', 'three_d_secure', 'always', '2Gi'],
    second: {
      feedback: 'Production needs twice the memory since last week.',
      output: configOf('4Gi'),
      change: { added: ['4Gi'], removed: ['2Gi'] },
    },
  },
  {
    name: 'answer-complaint',
    task: 'answer',
    agent: 'Support writer',
    topic: 'Haddad & Sons',
    output: COMPLAINT,
    matter: [
      'we credit 10% of your November invoice, which is EUR 1,326.40.',
      'your next two deliveries go by express at our cost.',
    ],
    second: {
      feedback: 'Only what the late ones cost, not the whole month.',
      output: COMPLAINT_2,
      change: { added: ['these deliveries', '214.00'], removed: ['your November invoice', '1,326.40'] },
    },
  },
  {
    name: 'newsletter',
    task: 'write_newsletter',
    agent: 'Marketing writer',
    topic: 'December',
    output: NEWSLETTER,
    matter: [
      'you can order until 6 pm instead of 2 pm',
      'Storage costs 15% less for contracts that are renewed before the end of the year.',
    ],
  },
  {
    name: 'termination',
    task: 'write_letter',
    agent: 'Procurement assistant',
    topic: 'FA-2021-07',
    output: TERMINATION,
    matter: ['We hereby terminate the agreement with effect from 31 March 2027.', 'by 15 January 2027'],
  },
  {
    name: 'clean-up-sql',
    task: 'write_job',
    agent: 'Database engineer',
    topic: 'Old sessions',
    output: CLEAN_UP_SQL,
    matter: ['The job deletes the originals afterwards.', 'DELETE FROM sessions USING users u', '2,184,533'],
  },
  {
    name: 'migration-sql',
    task: 'write_migration',
    agent: 'Database engineer',
    topic: 'IBANs',
    output: migrationSql(
      'ALTER TABLE customers DROP COLUMN legacy_iban;',
      'Encrypts the IBANs of all customers in one transaction, about 40 seconds.',
    ),
    matter: ['ALTER TABLE customers DROP COLUMN legacy_iban;', 'different afterwards'],
    second: {
      feedback: 'Keep the old column for a week, so that we can go back.',
      output: migrationSql(
        'ALTER TABLE customers RENAME COLUMN legacy_iban TO legacy_iban_until_7_december;',
        'Encrypts the IBANs of all customers in one transaction, about 40 seconds.',
      ),
      change: { added: ['legacy_iban_until_7_december'], removed: ['DROP'] },
    },
  },
  {
    name: 'terraform-diff',
    task: 'plan_upgrade',
    agent: 'Platform assistant',
    topic: 'Orders database',
    output: TERRAFORM_DIFF,
    matter: ['engine_version = "16.4"', 'deletion_protection = false'],
  },
  {
    name: 'code-diff',
    task: 'fix_bug',
    agent: 'Developer',
    topic: 'HAR-2210',
    output: CODE_DIFF,
    matter: [
      'if (order.total.amount <= tier.minimum) return zero(order.currency);',
      'is not given at the minimum itself',
    ],
  },
  {
    name: 'clean-up-script',
    task: 'write_script',
    agent: 'Platform assistant',
    topic: 'Old exports',
    output: CLEAN_UP_SCRIPT,
    matter: ['export.delete()', 'so that nothing can be brought back.'],
  },
  {
    name: 'approval-limit',
    task: 'change_limit',
    agent: 'Developer',
    topic: 'Purchase orders',
    output: approvalLimit('500'),
    matter: ['return total.eur > 500;'],
    second: {
      feedback: 'The board has decided on 1,000.',
      output: approvalLimit('1_000'),
      change: { added: ['1_000'], removed: ['500'] },
    },
  },
  {
    name: 'price-table',
    task: 'set_prices',
    agent: 'Pricing assistant',
    topic: '2027',
    output: PRICE_TABLE,
    matter: ['from 1 January 2027, for all customers without a contract', '€ 14.90', '€ 74.50'],
  },
  {
    name: 'supplier-table',
    task: 'rate_suppliers',
    agent: 'Procurement assistant',
    topic: '2026',
    output: SUPPLIER_TABLE,
    matter: ['Costa Verde', 'terminate', 'renegotiate'],
  },
  {
    name: 'incident-report',
    task: 'write_report',
    agent: 'Incident writer',
    topic: '24 November',
    output: INCIDENT,
    matter: ['312 customers were charged twice for the same order, EUR 41,870 in all.', 'We refund all of them today'],
  },
  {
    name: 'liability-clause',
    task: 'draft_clause',
    agent: 'Contract assistant',
    topic: 'Northwind',
    output: LIABILITY,
    matter: ["the Supplier's total liability under this Agreement is limited to EUR 50,000 in each contract year"],
  },
  {
    name: 'press-release',
    task: 'pressemitteilung',
    agent: 'Redaktion',
    topic: 'Rotterdam',
    output: PRESS_RELEASE,
    matter: [
      'Auf 14.000 Quadratmetern entstehen 120 Arbeitsplätze.',
      'Das Unternehmen hat 9 Millionen Euro investiert.',
    ],
    second: {
      feedback: 'Bitte keine Investitionssumme, aber die Förderung des Landes nennen.',
      output: PRESS_RELEASE_2,
      change: { added: ['Südholland fördert den Bau', '1,2'], removed: ['investiert'] },
    },
  },
  {
    name: 'tenants-letter',
    task: 'brief',
    agent: 'Hausverwaltung',
    topic: 'Uferstraße',
    output: TENANTS,
    matter: [
      'ist das Wasser von 8 bis 13 Uhr in allen Häusern der Uferstraße 10 bis 24 abgestellt.',
      'gibt den Schlüssel bis Montag, 18 Uhr, bei der Hausverwaltung ab.',
    ],
  },
  {
    name: 'arabic-notice',
    task: 'announcement',
    agent: 'Office assistant',
    topic: 'Dubai',
    output: ARABIC,
    matter: ['يُغلق مكتب دبي يومي الثاني والثالث من ديسمبر', 'وما يصل بعد ذلك يُشحن يوم الجمعة.'],
  },
  {
    name: 'chinese-notice',
    task: 'announcement',
    agent: 'Support writer',
    topic: 'Returns',
    output: CHINESE,
    matter: ['退货期限由 30 天改为 14 天。', '运费由买方承担，商品有质量问题的除外。'],
  },
  {
    name: 'one-sentence',
    task: 'answer',
    agent: 'Support assistant',
    topic: 'Opening hours',
    output: 'We are open until 8 pm on 24 December, and closed until 28 December.',
    matter: ['We are open until 8 pm on 24 December, and closed until 28 December.'],
  },
  {
    name: 'go-live-checklist',
    task: 'check_launch',
    agent: 'Launch assistant',
    topic: 'New shop',
    output: CHECKLIST,
    matter: ["Restore of last night's backup: failed twice, reason unknown", 'One of nine is open.'],
  },
  {
    name: 'churn-report',
    task: 'write_report',
    agent: 'Analyst',
    topic: 'Customers who left in 2026',
    output: CHURN_REPORT,
    matter: [
      'We lost 38 customers in 2026, and with them EUR 1.9 million a year.',
      'I recommend to hire two people for onboarding',
    ],
  },
];
