import { createHmac } from 'node:crypto';

/** The headers of Standard Webhooks for one attempt. */
export type SignedHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
  /** Marks a test, whose body is like any other. */
  readonly 'x-signpost-test'?: 'true';
};

/**
 * Signs `id.timestamp.body` with each secret: a receiver accepts the message when one of the signatures is right.
 * The timestamp is the attempt's, so that a third party cannot send an old message again.
 */
export function sign(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Buffer[],
  { isTest = false }: { readonly isTest?: boolean } = {},
): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    secret => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    ...(isTest ? { 'x-signpost-test': 'true' } : {}),
  };
}
