/** Which part of a list is shown, as the address of the page holds it. Whatever is wrong there is left out. */
export type ListSearch<State extends string> = { readonly state?: State; readonly page?: number };

export const reportStates = ['open', 'closed'] as const;
export const suspensionStates = ['open', 'appealed', 'released'] as const;

export type ReportsSearch = ListSearch<(typeof reportStates)[number]>;
export type SuspensionsSearch = ListSearch<(typeof suspensionStates)[number]>;
export type PageSearch = { readonly page?: number };
export type LookUpSearch = { readonly link?: string };

type Raw = Readonly<Record<string, unknown>>;

export const parseReportsSearch = (raw: Raw): ReportsSearch => parseList(reportStates, raw);
export const parseSuspensionsSearch = (raw: Raw): SuspensionsSearch => parseList(suspensionStates, raw);

export function parsePageSearch(raw: Raw): PageSearch {
  const page = Number(raw.page);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}

/** The router reads a short code of digits as a number. */
export function parseLookUpSearch({ link }: Raw): LookUpSearch {
  const text = typeof link === 'string' || typeof link === 'number' ? String(link).trim() : '';
  return text ? { link: text } : {};
}

/** The first state is the one that a list begins with, so the address does not name it. */
function parseList<State extends string>(states: readonly State[], raw: Raw): ListSearch<State> {
  const state = states.slice(1).find(known => known === raw.state);
  return { ...(state ? { state } : {}), ...parsePageSearch(raw) };
}
