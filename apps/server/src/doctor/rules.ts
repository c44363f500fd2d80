import { formatId, type Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { listRulePlaces, type Place, placeInWords } from '../rules/place-names.ts';
import type { Rule } from '../rules/rule.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

/** A long list is shown by its beginning. */
const maxShown = 5;

/** Whether the regions and cities that rules name are in the place files: with other names no scan meets the rule. */
export async function checkRules({
  postgres,
  placeNames,
}: Pick<DoctorContext, 'postgres' | 'placeNames'>): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  try {
    const named = await placesInRules(postgres.db);
    if (named.size === 0) return ok('no rule names a region or a city');
    const names = await placeNames();
    if (names === null) return notChecked('the place files cannot be read');
    const missing = [...named.values()].filter(({ place }) => !names.has(place));
    return assess(named.size, missing);
  } catch (error) {
    return notChecked(`the names of places in rules cannot be compared: ${describeError(error)}`);
  }
}

/** A place, and a code whose rules name it. */
type Named = { readonly place: Place; readonly qrCodeId: Uuid };

function assess(total: number, missing: readonly Named[]): Outcome {
  const count = `${total} ${total === 1 ? 'name of a region or a city' : 'names of regions and cities'}`;
  if (missing.length === 0) return ok(`rules have ${count}, all of them in the place files`);
  const shown = missing
    .slice(0, maxShown)
    .map(({ place, qrCodeId }) => `${placeInWords(place)} (${formatId('qr', qrCodeId)})`);
  return warning(
    `rules have ${count}, of which ${missing.length} ${missing.length === 1 ? 'is' : 'are'} in no place file, so that no scan meets them: ${shown.join(', ')}${missing.length > maxShown ? ', …' : ''}`,
    'Names change with the place files. Ask the owners to use the names that scans show.',
  );
}

async function placesInRules(db: Database): Promise<Map<string, Named>> {
  const rows = await db.query<{ id: Uuid; rules: readonly Rule[] }>(findRules);
  const named = rows.flatMap(({ id, rules }) =>
    listRulePlaces(rules).map(place => ({ place, qrCodeId: id })),
  );
  return new Map(named.map(entry => [placeInWords(entry.place), entry]));
}

const findRules = sql(
  'doctor-rules-with-places',
  `select id, rules from qr_codes where rules is not null and rules::text ~ '"(region|city)" *:' limit 10000`,
);
