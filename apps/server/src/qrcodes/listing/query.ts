import type { ListQrCodesQuery } from '@signpost/contract';
import { getHost } from '../../kernel/addresses/hosts.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { parseMoment } from '../../kernel/moment.ts';
import type { CodeFilter, Sort } from './filter.ts';

type FilterQuery = Pick<
  ListQrCodesQuery,
  | 'status'
  | 'archived'
  | 'ids'
  | 'tag'
  | 'search'
  | 'external_id'
  | 'short_code'
  | 'destination_host'
  | 'domain'
  | 'metadata'
  | 'availability'
  | 'created_from'
  | 'created_to'
>;

const dayMs = 24 * 60 * 60 * 1000;

/** With the moment at which codes have the availability that the query asks for. */
export function toFilter(query: FilterQuery, at: Date): CodeFilter {
  const from = readMoment('created_from', query.created_from);
  const to = readMoment('created_to', query.created_to);
  // Its whole day, or the moment itself.
  const createdBefore = to && new Date(to.at.getTime() + (to.isDay ? dayMs : 1));
  if (from && createdBefore && from.at >= createdBefore)
    throw new AppError('invalid_request', 'created_to is before created_from. Exchange the two.', {
      param: 'created_to',
    });
  const names = [query.ids, query.external_id, query.short_code];
  return {
    status: query.status,
    archived: query.archived ?? (names.some(name => name !== undefined) ? undefined : false),
    ids: query.ids?.flatMap(id => parseId('qr', id) ?? []),
    tags: query.tag,
    search: query.search,
    externalId: query.external_id,
    shortCode: query.short_code,
    domain: query.domain === undefined ? undefined : normalizeHost(query.domain),
    host: query.destination_host === undefined ? undefined : normalizeHost(query.destination_host),
    metadata: query.metadata?.map(parsePair),
    availability: query.availability && { state: query.availability, at },
    createdFrom: from?.at,
    createdBefore,
  };
}

export function parseSort(sort: ListQrCodesQuery['sort'] = '-created'): Sort {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  return { by: sort.replace('-', '') as Sort['by'], direction };
}

/** A key has no colon. */
function parsePair(pair: string): readonly [string, string] {
  const end = pair.indexOf(':');
  return [pair.slice(0, end), pair.slice(end + 1)];
}

function readMoment(param: string, text: string | undefined) {
  if (text === undefined) return undefined;
  const moment = parseMoment(text);
  if (moment) return moment;
  throw new AppError('invalid_request', `${param} is a day that the calendar does not have.`, { param });
}

/** In the form in which hosts are stored. What is no host stays as it is: no code has it. */
function normalizeHost(text: string): string {
  const address = `http://${text}`;
  return URL.canParse(address) ? getHost(new URL(address)) : text;
}
