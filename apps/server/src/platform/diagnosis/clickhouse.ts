import { clickHouseError } from '../clickhouse/clickhouse-errors.ts';
import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { errorText, firstSentence } from './error-text.ts';

export function diagnoseClickHouse(error: unknown, server: string): Diagnosis | null {
  const refusal = clickHouseError(error);
  const { message } = errorText(error);
  if (/Port \d+ is for clickhouse/.test(message))
    return misconfiguration(
      `${server} is its port for native clients`,
      'Put the port of its HTTP interface into CLICKHOUSE_URL: 8123, or 8443 with https.',
    );
  if (refusal === null) return null;
  const quote = `${server} says: ${firstSentence(message) || refusal.type}`;
  if ([192, 193, 194, 291, 497, 516].includes(refusal.code))
    return misconfiguration(
      quote,
      'Correct the user and the password in CLICKHOUSE_URL, and grant the user access to its database.',
    );
  if (refusal.code === 81)
    return misconfiguration(
      quote,
      'Create it (`create database NAME`), or correct the name after the last / of CLICKHOUSE_URL.',
    );
  return outage(quote, 'Check its log, and try again.');
}
