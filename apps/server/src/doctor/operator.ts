import { toTokenFilePath } from '../users/operators/operator-token-file.ts';
import { hasOperator } from '../users/operators/operators.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

/** Whether the dashboard has an operator, and if not, how to create one. */
export async function checkOperator({
  config,
  postgres,
}: Pick<DoctorContext, 'config' | 'postgres'>): Promise<Outcome> {
  if (config.authSecret === '') return ok('not needed: the dashboard is off');
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  try {
    if (await hasOperator(postgres.db)) return ok('there is one');
  } catch (error) {
    return warning(`not checked: ${describeError(error)}`, 'See the migrations above.');
  }
  return warning(
    'there is no operator yet',
    `Run \`signpost admin create-user EMAIL --operator\`. Or open ${config.publicUrl}/app/first-operator with the token that a server wrote to ${toTokenFilePath(config.spoolDir)}.`,
  );
}
