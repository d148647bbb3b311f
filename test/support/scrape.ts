/** The text of `/metrics` of a bot. Rejects where there is none. */
export async function metricsOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answers ${answer.status}`);
  return answer.text();
}

/** Its samples by their names and labels as written. */
export async function scrape(port: number): Promise<Map<string, number>> {
  const lines = (await metricsOf(port)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}
