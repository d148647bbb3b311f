import { createCredentials } from '../../src/crew/credentials.ts';
import { TEST_SECRET } from './world.ts';

/** A program that asks by the rules of a crew. */
export interface AskingProgram {
  headers: { authorization: string };
  ask(body?: Record<string, unknown>): Promise<AskedAnswer>;
  fetch(ref: string, waitS?: number): Promise<AskedAnswer>;
  withdraw(ref: string): Promise<AskedAnswer>;
}

export interface AskedAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects in it
  body: any;
}

/** @param port of the bot, which may change */
export function askingProgram(port: () => number, crew: string, secret = TEST_SECRET): AskingProgram {
  const headers = { authorization: `Bearer ${createCredentials([secret]).askToken(crew)}` };
  const call = async (method: string, path: string, body?: object): Promise<AskedAnswer> => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port()}${path}`, sent);
    return { status: answer.status, body: await answer.json() };
  };
  return {
    headers,
    ask: (body = {}) => call('POST', '/asks', { policy: crew, title: 'Deploy 1.4', text: 'All **green**.', ...body }),
    fetch: (ref, waitS = 0) => call('GET', `/asks/${ref}?wait=${waitS}`),
    withdraw: (ref) => call('DELETE', `/asks/${ref}`),
  };
}
