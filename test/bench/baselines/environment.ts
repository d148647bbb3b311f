/** What the harness tells a baseline: where it listens, where its Slack and its crew are, and whether to do the work. */
export interface Environment {
  port: number;
  signingSecret: string;
  token: string;
  slackApiUrl: string;
  crewUrl: string;
  redisUrl: string;
  /** Whether a click is only acknowledged, or the crew told and the card updated, too. */
  work: 'ack' | 'all';
}

export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const { PORT, SLACK_SIGNING_SECRET = '', SLACK_BOT_TOKEN = '', SLACK_API_URL = '', REDIS_URL = '' } = env;
  return {
    port: Number(PORT),
    signingSecret: SLACK_SIGNING_SECRET,
    token: SLACK_BOT_TOKEN,
    slackApiUrl: SLACK_API_URL,
    crewUrl: env.CREW_BASE_URL ?? '',
    redisUrl: REDIS_URL,
    work: env.BENCH_WORK === 'ack' ? 'ack' : 'all',
  };
}

/** Says that it can be measured, and ends with the process that started it, however that ends. */
export function announce(): void {
  console.log('The baseline is ready');
  process.stdin.resume().on('end', () => process.exit());
}
