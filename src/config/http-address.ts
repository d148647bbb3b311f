/** What is wrong with an http(s) address, without repeating it; null if nothing is. */
export function whyNotHttpAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an address such as https://example.com';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (url.search !== '' || url.hash !== '') return 'must not contain a ? or a #';
  return null;
}

/** Whether what is sent there never leaves this machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
