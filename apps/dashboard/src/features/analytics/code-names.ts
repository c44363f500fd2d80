import type { QrCode } from '@signpost/contract';
import { analyticsText } from '../../strings/analytics.ts';
import { placementsText } from '../../strings/placements.ts';
import { shownUrl } from '../../ui/format.ts';
import type { CodeNames } from './filters.ts';
import type { Report } from './queries.ts';

/** The names of a code's placements and destinations; those of earlier rules are in the figures. */
export function namesOf(
  code: Pick<QrCode, 'placements' | 'rules' | 'destination_url'>,
  targets: Report['targets'] = [],
): CodeNames {
  const placements = new Map(code.placements.map(({ key, name }) => [key, name]));
  const urls = new Map([
    ...targets.map(({ target_id, label, url }) => [target_id, label || shownUrl(url)] as const),
    ...code.rules.flatMap(({ to }) => to.map(({ id, label, url }) => [id, label || shownUrl(url)] as const)),
  ]);
  return {
    placement: key =>
      key === '' ? placementsText.without : (placements.get(key) ?? placementsText.deleted(key)),
    target: id =>
      id === '' || id === 'default'
        ? shownUrl(code.destination_url)
        : (urls.get(id) ?? analyticsText.earlierDestination),
  };
}
