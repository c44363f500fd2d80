/**
 * away: NATS is not connected. full: it has no room now. too_large: the log will never take it. unconfirmed: an ack that
 * promises nothing.
 * replaced: the log is not the one that was read before, so that a position in it means another entry.
 */
export type ScanLogFault = 'away' | 'full' | 'too_large' | 'unconfirmed' | 'replaced';

export class ScanLogError extends Error {
  readonly fault: ScanLogFault;

  constructor(fault: ScanLogFault, message: string) {
    super(message);
    this.name = 'ScanLogError';
    this.fault = fault;
  }
}
