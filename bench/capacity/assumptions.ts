type Assumption = { readonly value: number; readonly says: string };

/** Assumptions that were not measured. They are printed with the result; change them here. */
export const assumptions = {
  fill: {
    value: 0.6,
    says: 'share of a core that is planned with; the rest is for bursts and for what fails',
  },
  newConnections: {
    value: 1,
    says: 'share of scans that open a connection: a phone scans a code, and is not seen again for days',
  },
  newVisitors: {
    value: 2 / 3,
    says: 'share of scans by somebody who is new to the code and to its account in this visitor window',
  },
  visitorDays: {
    value: 39,
    says: 'days of visitors in PostgreSQL at most: a month (`VISITOR_WINDOW`) of 31 days, and 8 more until its table is dropped',
  },
  batchDays: { value: 8, says: 'days for which the ids of batches are kept, so that none counts twice' },
  scansPerBatch: {
    value: 1,
    says: 'scans that share an append to the log: under load more do, on a calm day hardly any',
  },
  logDays: { value: 7, says: 'days that the log keeps scans, counted or not (`SCAN_LOG_DAYS`)' },
  webhookShare: { value: 0.1, says: 'webhooks for each scan: one account in ten has one' },
  attemptDays: { value: 30, says: 'days that the log of webhook deliveries is kept' },
  catchUp: { value: 3, says: 'times the average that is counted, to work off what a peak has left' },
  wireBytes: {
    value: 5_000,
    says: 'bytes around an answer: the request, a TLS handshake with a certificate chain, packet headers',
  },
  logCopies: { value: 3, says: 'copies of the log, unless all runs on one box' },
  postgresCopies: { value: 2, says: 'copies of PostgreSQL, unless all runs on one box' },
  clickhouseCopies: { value: 2, says: 'copies of ClickHouse, unless all runs on one box' },
  coreDollars: { value: 30, says: 'US dollars a month for a core with 4 GB; a round list price of 2026' },
  terabyteDollars: { value: 100, says: 'US dollars a month for a terabyte of fast disk; likewise' },
} as const satisfies Readonly<Record<string, Assumption>>;
