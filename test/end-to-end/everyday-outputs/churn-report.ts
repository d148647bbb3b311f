// A report of 30 KB, as long as an analyst's crew writes them.

const NAMES = [
  ...['Blauwe Haven', 'Nordlys', 'Zephyr Robotics', 'Costa Verde', 'Café Lumière', 'Petrović', 'Haddad & Sons'],
  ...['Fjord Living', 'Tea & Time', 'Alpenglühen', 'Bright Bikes', 'Casa Blanca', 'Dune Outdoor', 'Evergreen Paper'],
  ...['Filigrane', 'Grønland Fisk', 'Hummingbird', 'Isar Optik', 'Juniper Home', 'Kestrel Tools', 'La Paloma'],
  ...['Maasdam', 'Nightingale', 'Ostsee Kontor', 'Piccolo', 'Quay Supplies', 'Rosewood', 'Silver Birch'],
  ...['Tidewater', 'Ursa Minor', 'Velo Nord', 'Westwind', 'Xenia Foods', 'Yonder Travel', 'Zimt & Zucker'],
  ...['Abbey Road Audio', 'Bergen Wool', 'Clover Dairy'],
];

/** Why customers left, as their account managers wrote it down. */
const REASONS = [
  {
    reason: 'Onboarding',
    story:
      'The first shipment left five weeks after the contract was signed. Their stock list had to be imported three times, since the columns of the template had changed in the meantime, and each time somebody else answered. They had told two of their own customers that they could order from Monday on.',
    wanted: 'One person who is responsible from the contract to the first shipment, and a date that holds.',
  },
  {
    reason: 'Price',
    story:
      'A competitor in Venlo offered the same service for 11% less, with a contract of three years. We learnt of it from the letter of termination. Nobody had spoken with them since the renewal in spring, although their volume had doubled and they would have had a right to the next tier.',
    wanted: 'That we call them before they have to ask, once their volume reaches another tier.',
  },
  {
    reason: 'Late deliveries',
    story:
      'In March and April, every eighth parcel arrived a day late. The reason was the move of the night shift, of which customers had been told in a newsletter. Their own customers complained in public, and our answer came two days later, in English, to a company that had always written to us in their language.',
    wanted: 'A warning on the day itself, and an answer in their language.',
  },
  {
    reason: 'Missing feature',
    story:
      'They needed partial deliveries and had asked for them in each of the last three years. The road map promised them for the first quarter, then for the third. When they came in November, the contract with another provider had been signed. They say that they would come back in 2028.',
    wanted: 'Road maps that promise less, and news when a date moves.',
  },
  {
    reason: 'Closed down',
    story:
      'The owner retires and hasn’t found a successor. They were content with us to the end, recommended us to two others, and still have 40 pallets in Antwerp, which are to be sold by the end of January. There is nothing that we could have done.',
    wanted: 'Nothing. They thank us.',
  },
];

const customers = NAMES.map((name, index) => {
  const { reason, story, wanted } = REASONS[(index * 7) % 11 < 5 ? 0 : index % REASONS.length] ?? {
    reason: '',
    story: '',
    wanted: '',
  };
  const revenue = 12_000 + ((index * 7_919) % 76_000);
  return `### ${index + 1}. ${name}

Customer since ${2014 + (index % 11)}, EUR ${revenue.toLocaleString('en-US')} a year, left in ${monthOf(index)}. **${reason}.**

${story}

*What they would have needed:* ${wanted}
`;
});

function monthOf(index: number): string {
  return ['January', 'March', 'April', 'June', 'July', 'September', 'October'][index % 7] ?? '';
}

export const CHURN_REPORT = `# Why customers left in 2026

We lost 38 customers in 2026, and with them EUR 1.9 million a year. Nearly half of them left because of their first three months with us, not because of prices. I recommend to hire two people for onboarding, EUR 140,000 a year, and to leave prices as they are.

## How I found out

I read all letters of termination, the notes of account managers and 412 mails, and spoke with nobody. Where several reasons were given, I took the one that was named first.

## Customer by customer

${customers.join('\n')}
## What I don't know

Eleven customers gave no reason in writing. I took what their account managers noted, which may be kinder to us than the truth. I haven't seen any customers who stayed, so that I can't say whether they had the same trouble.
`;
