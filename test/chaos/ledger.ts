/** What the client knows: every response, and every request without one. */
export type Ledger = {
  accepted(code: string): void;
  unanswered(code: string): void;
  refused(status: number): void;
  readonly codes: ReadonlyMap<string, { readonly accepted: number; readonly unanswered: number }>;
  readonly totals: {
    readonly accepted: number;
    readonly unanswered: number;
    readonly refused: ReadonlyMap<number, number>;
  };
};

export function createLedger(): Ledger {
  const codes = new Map<string, { accepted: number; unanswered: number }>();
  const refused = new Map<number, number>();
  const totals = { accepted: 0, unanswered: 0, refused };
  const entryOf = (code: string) => {
    const entry = codes.get(code) ?? { accepted: 0, unanswered: 0 };
    codes.set(code, entry);
    return entry;
  };
  return {
    accepted(code) {
      entryOf(code).accepted++;
      totals.accepted++;
    },
    unanswered(code) {
      entryOf(code).unanswered++;
      totals.unanswered++;
    },
    refused(status) {
      refused.set(status, (refused.get(status) ?? 0) + 1);
    },
    codes,
    totals,
  };
}
