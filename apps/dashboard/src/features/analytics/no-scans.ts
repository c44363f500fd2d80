import { curlFor } from '../../ui/curl.ts';
import type { Period } from './periods.ts';

/** The question of the page, by API; an account has one path, a code another. */
export const noScansCurl = (id: string | null, { start, end }: Period): string =>
  curlFor(
    'GET',
    `${id ? `/v1/qrcodes/${id}/analytics` : '/v1/analytics/aggregate'}?start_date=${start}\\&end_date=${end}`,
  );
