import { type EngineName, engineInfo, formatAddresses } from '../../kernel/addresses/engine-address.ts';
import { MigrationsDiffer } from '../postgres/migration-files.ts';
import { diagnoseClickHouse } from './clickhouse.ts';
import { type Diagnosis, outage } from './diagnosis.ts';
import { firstSentence } from './error-text.ts';
import { diagnoseNats } from './nats.ts';
import { diagnoseNetwork, diagnoseTls } from './network.ts';
import { diagnoseOtherServer } from './other-server.ts';
import { diagnosePostgres } from './postgres.ts';
import { diagnoseRedis } from './redis.ts';

/** Why an engine cannot be used, with one text for the operator: the setting, the finding and the remedy. Never a password. */
export type EngineDiagnosis = Diagnosis & {
  readonly engine: EngineName;
  readonly sentence: string;
  /** Another kind of server on this port would look the same: an `outage` until `identifyOtherServer` has looked. */
  readonly isUnclear?: true;
};

/** Ends a command or a start. */
export class EngineUnusableError extends Error {
  constructor(diagnoses: readonly EngineDiagnosis[], options?: ErrorOptions) {
    super(diagnoses.map(({ sentence }) => sentence).join('\n'), options);
    this.name = 'EngineUnusableError';
  }
}

/** Explains an error of an engine's driver, and checks what else may listen there. Null if the engine is not the cause. */
export async function diagnoseThoroughly(
  engine: EngineName,
  address: string,
  error: unknown,
): Promise<EngineDiagnosis | null> {
  const diagnosis = diagnoseError(engine, address, error);
  return diagnosis ? identifyOtherServer(diagnosis, address) : null;
}

/** Explains an error of an engine's driver by the error alone. */
export function diagnoseError(engine: EngineName, address: string, error: unknown): EngineDiagnosis | null {
  const root = rootCause(error);
  if (root instanceof MigrationsDiffer) return null;
  const server = serverName(engine, address);
  const known = byEngine[engine](root, server) ?? diagnoseTls(engine, root, server);
  if (known !== null) return toEngineDiagnosis(engine, known);
  const network = diagnoseNetwork(engine, address, root, server);
  if (network === 'unclear')
    return { ...toEngineDiagnosis(engine, notAnswering(engine, server)), isUnclear: true };
  return toEngineDiagnosis(engine, network ?? unknownError(root, server));
}

/** If the diagnosis is unclear, finds out whether another kind of server listens at the address. */
export async function identifyOtherServer(
  diagnosis: EngineDiagnosis,
  address: string,
): Promise<EngineDiagnosis> {
  if (!diagnosis.isUnclear) return diagnosis;
  const { engine } = diagnosis;
  const other = await diagnoseOtherServer(engine, address);
  return toEngineDiagnosis(engine, other ?? notAnswering(engine, serverName(engine, address)));
}

/** By what the engine itself says. Null for an error that none of them knows. */
const byEngine: Readonly<Record<EngineName, (error: unknown, server: string) => Diagnosis | null>> = {
  postgres: diagnosePostgres,
  redis: diagnoseRedis,
  nats: diagnoseNats,
  clickhouse: diagnoseClickHouse,
};

const toEngineDiagnosis = (engine: EngineName, diagnosis: Diagnosis): EngineDiagnosis => ({
  engine,
  ...diagnosis,
  sentence: `${engineInfo[engine].setting}: ${diagnosis.finding}. ${diagnosis.remedy}`,
});

const serverName = (engine: EngineName, address: string) =>
  `${engineInfo[engine].name} at ${formatAddresses(engine, address)}`;

function unknownError(error: unknown, server: string): Diagnosis {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return outage(`${server} says: ${firstSentence(message)}`, 'Check its log, and try again.');
}

const notAnswering = (engine: EngineName, server: string): Diagnosis =>
  outage(
    `${server} accepts connections but does not answer in time`,
    `Check its log and its load; if it is not ${engineInfo[engine].name}, correct ${engineInfo[engine].setting}.`,
  );

/** The driver's own error, below the errors wrapped around it. If several addresses were tried, the error of the first. */
function rootCause(error: unknown, depth = 0): unknown {
  if (error instanceof AggregateError && error.errors.length > 0)
    return rootCause(error.errors[0], depth + 1);
  const { cause } = (error ?? {}) as { cause?: unknown };
  const isWrapper = cause instanceof Error && depth < 5 && !saysMoreThanItsCause(error);
  return isWrapper ? rootCause(cause, depth + 1) : error;
}

const saysMoreThanItsCause = (error: unknown) =>
  error instanceof Error && /^(JetStream|Authorization|Permission)/.test(error.constructor.name);
