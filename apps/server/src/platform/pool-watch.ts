import pg from 'pg';

/** Is told how long callers wait for a connection of a pool. */
export type PoolWatch = {
  /** Once, when the pool is there. */
  watch(pool: { readonly waitingCount: number }): void;
  /** For each wait. A call that finds an idle connection has not waited. */
  waited(seconds: number): void;
};

/** A pool that tells its waits. A call that finds an idle connection costs no more than before. */
export function watchPool(options: pg.PoolConfig, watch: PoolWatch): pg.Pool {
  class WatchedPool extends pg.Pool {
    // biome-ignore lint/suspicious/noExplicitAny: the driver has two ways to hand out a connection under one name
    override connect(callback?: any): any {
      if (this.idleCount > this.waitingCount) return super.connect(callback);
      const startMs = performance.now();
      const tell = () => watch.waited((performance.now() - startMs) / 1000);
      if (callback) {
        return super.connect((error, client, release) => {
          tell();
          callback(error, client, release);
        });
      }
      const lent = super.connect();
      lent.then(tell, tell);
      return lent;
    }
  }
  const pool = new WatchedPool(options);
  watch.watch(pool);
  return pool;
}
