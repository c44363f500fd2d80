import { UndeclaredPoolerError } from '../postgres/pooler.ts';
import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { errorText } from './error-text.ts';

export function diagnosePostgres(error: unknown, server: string): Diagnosis | null {
  if (error instanceof UndeclaredPoolerError) return misconfiguration(error.finding, error.remedy);
  const { code, message } = errorText(error);
  const quote = `${server} says: ${message}`;
  if (code === '3D000')
    return misconfiguration(
      quote,
      'Create it (`createdb NAME`), or correct the name after the last / of DATABASE_URL.',
    );
  if (/^28/.test(code))
    return misconfiguration(
      quote,
      'Correct the user and the password in DATABASE_URL, or allow them in pg_hba.conf on the server.',
    );
  if (/^SASL|password must be a string/.test(message))
    return misconfiguration(
      `${server} asks for a password, and DATABASE_URL has none that it accepts`,
      'Put the user and the password into DATABASE_URL.',
    );
  if (code === '42501')
    return misconfiguration(
      quote,
      'Grant the privilege to the user of DATABASE_URL, or make that user the owner.',
    );
  if (/^(08P01|0A000|22023|42704)$/.test(code) && /parameter/.test(message))
    return misconfiguration(
      quote,
      'Remove the parameter from DATABASE_URL; behind a pooler set DATABASE_POOLER=transaction.',
    );
  if (/does not support SSL/.test(message))
    return misconfiguration(
      `${server} does not support TLS`,
      'Remove `sslmode` from DATABASE_URL, or turn on TLS on the server.',
    );
  if (/^53/.test(code))
    return outage(
      quote,
      'Lower DATABASE_POOL_SIZE, or raise `max_connections` on the server, and check its memory and disk.',
    );
  if (/^(08|57|25006)/.test(code)) return outage(quote, 'Wait until it has started, and check its log.');
  return null;
}
