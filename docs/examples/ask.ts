// Asks people and waits for their answer. Exits with 0 only if they approved.
// Set SIGNOFF_URL (the bot's PUBLIC_URL), SIGNOFF_ASK_TOKEN and SIGNOFF_POLICY (the name of a crew):
//   npx tsx ask.ts "Deploy 1.4" "All checks are **green**."
const { SIGNOFF_URL, SIGNOFF_ASK_TOKEN, SIGNOFF_POLICY } = process.env;

interface Answer {
  ref: string;
  status: 'waiting' | 'decided' | 'expired' | 'cancelled' | 'closed';
  decision?: 'approved' | 'rejected' | 'expired';
  outcome?: string | null;
  feedback?: string | null;
  by?: { id: string; name: string } | null;
}

/** Tries again where Signoff can't be reached or has trouble that passes. */
async function call(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${SIGNOFF_ASK_TOKEN}`, 'content-type': 'application/json' };
  for (;;) {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(70_000) };
    const answer = await fetch(`${SIGNOFF_URL}${path}`, sent).catch(() => null);
    if (answer?.ok) return answer.json();
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error((await answer.json()).message);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
}

async function ask(title: string, text: string, more: object = {}): Promise<Answer> {
  // The same id asks once, so that this may be sent again.
  const { ref } = await call('POST', '/asks', {
    policy: SIGNOFF_POLICY,
    title,
    text,
    id: crypto.randomUUID(),
    ...more,
  });
  for (;;) {
    const answer = await call('GET', `/asks/${ref}?wait=50`);
    if (answer.status !== 'waiting') return answer;
  }
}

const [title = '', text = ''] = process.argv.slice(2);
const { decision, status, by, feedback } = await ask(title, text, { expires_in: '4h' });
console.log(`${decision ?? status} by ${by?.name ?? 'nobody'}${feedback ? `: ${feedback}` : ''}`);
process.exitCode = decision === 'approved' ? 0 : 1;
