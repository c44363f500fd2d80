import pg from 'pg';

/** Observes how long callers wait for a connection of a pool. */
export type PoolObserver = {
  /** Called once, with the new pool. */
  attach(pool: { readonly waitingCount: number }): void;
  /** Called for each wait. A call that finds an idle connection does not wait. */
  waited(seconds: number): void;
};

/** A pool that reports its waits. A call that finds an idle connection costs no more than in a plain pool. */
export function createObservedPool(options: pg.PoolConfig, observer: PoolObserver): pg.Pool {
  class ObservedPool extends pg.Pool {
    // biome-ignore lint/suspicious/noExplicitAny: the driver has two signatures under one name
    override connect(callback?: any): any {
      if (this.idleCount > this.waitingCount) return super.connect(callback);
      const startMs = performance.now();
      const report = () => observer.waited((performance.now() - startMs) / 1000);
      if (callback) {
        return super.connect((error, client, release) => {
          report();
          callback(error, client, release);
        });
      }
      const connecting = super.connect();
      connecting.then(report, report);
      return connecting;
    }
  }
  const pool = new ObservedPool(options);
  observer.attach(pool);
  return pool;
}
