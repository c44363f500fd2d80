import type { ListQrCodesQuery } from '@signpost/contract';
import { getHost } from '../../kernel/addresses/hosts.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseMoment } from '../../kernel/moment.ts';
import type { CodeFilter, Sort } from './filter.ts';

type FilterQuery = Pick<
  ListQrCodesQuery,
  | 'status'
  | 'tag'
  | 'search'
  | 'external_id'
  | 'short_code'
  | 'destination_host'
  | 'created_from'
  | 'created_to'
>;

const dayMs = 24 * 60 * 60 * 1000;

export function toFilter(query: FilterQuery): CodeFilter {
  const from = readMoment('created_from', query.created_from);
  const to = readMoment('created_to', query.created_to);
  return {
    status: query.status,
    tags: query.tag,
    search: query.search,
    externalId: query.external_id,
    shortCode: query.short_code,
    host: query.destination_host === undefined ? undefined : normalizeHost(query.destination_host),
    createdFrom: from?.at,
    // Its whole day, or the moment itself.
    createdBefore: to && new Date(to.at.getTime() + (to.isDay ? dayMs : 1)),
  };
}

export function parseSort(sort: ListQrCodesQuery['sort'] = '-created'): Sort {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  return { by: sort.replace('-', '') as Sort['by'], direction };
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
