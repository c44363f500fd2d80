import { tokenFileOf } from '../../users/operator-token-file.ts';
import { hasOperator } from '../../users/operators.ts';
import { type Outcome, ok, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

/** Whether somebody runs this installation by its dashboard, and if nobody does, how somebody comes to. */
export async function checkOperator({
  config,
  postgres,
}: Pick<Patient, 'config' | 'postgres'>): Promise<Outcome> {
  if (config.authSecret === '') return ok('not needed: the dashboard is off');
  if (!('db' in postgres)) return warning('not looked at, since PostgreSQL is not reached', 'See above.');
  try {
    if (await hasOperator(postgres.db)) return ok('there is one');
  } catch (error) {
    return warning(`not looked at: ${wordsOf(error)}`, 'See the migrations above.');
  }
  return warning(
    'there is no operator yet',
    `Run \`signpost admin create-user EMAIL --operator\`. Or open ${config.publicUrl}/app/first-operator with the token that a server keeps in ${tokenFileOf(config.spoolDir)}.`,
  );
}
