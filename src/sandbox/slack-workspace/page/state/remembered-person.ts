const KEY = 'as';

/** The member this tab acts as: from the URL (`?as=U…`), this tab's last choice, or the last choice in any tab. */
export function rememberedPerson(): string | undefined {
  const named = new URLSearchParams(location.search).get(KEY);
  return named ?? sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined;
}

/** Stored per tab, so that several members can be used at once. An address that names one keeps naming it. */
export function rememberPerson(id: string): void {
  sessionStorage.setItem(KEY, id);
  localStorage.setItem(KEY, id);
  if (location.search.includes(`${KEY}=`)) history.replaceState(null, '', `/?${KEY}=${id}${location.hash}`);
}
