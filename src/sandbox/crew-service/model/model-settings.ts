/** An OpenAI-compatible server (https://platform.openai.com/docs/api-reference/chat), a local one too. */
export type ModelSettings = { readonly baseUrl: string; readonly apiKey: string; readonly name: string };

/** What `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` say; undefined without the first two. */
export function modelSettingsIn(env: NodeJS.ProcessEnv): ModelSettings | undefined {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: name } = env;
  return baseUrl && apiKey ? { baseUrl, apiKey, name: name || 'gpt-4o-mini' } : undefined;
}
