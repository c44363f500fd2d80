/**
 * away: NATS is not connected. full: the log has reached its limit. too_large: the log will never accept the batch.
 * unconfirmed: the ack does not confirm the append.
 * replaced: the log is not the one that was read before, so its positions refer to other entries.
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
