/** What the list of codes shows, as the address of the page holds it. Whatever is wrong there is left out. */
export type CodesSearch = {
  readonly page?: number;
  readonly status?: Status;
  readonly search?: string;
  readonly sort?: Sort;
};

export const statuses = ['active', 'paused', 'draft'] as const;
export type Status = (typeof statuses)[number];

export const sorts = ['created', 'scans', 'name'] as const;
export type Sort = (typeof sorts)[number];

export function parseCodesSearch(raw: Readonly<Record<string, unknown>>): CodesSearch {
  const page = Number(raw.page);
  const { status, sort } = raw;
  const search = typeof raw.search === 'string' || typeof raw.search === 'number' ? String(raw.search) : '';
  return {
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(isOneOf(statuses, status) ? { status } : {}),
    ...(search ? { search } : {}),
    ...(isOneOf(sorts, sort) && sort !== 'created' ? { sort } : {}),
  };
}

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value);
}
