/**
 * Loaded into the processes of the soak, which run with --expose-gc: collects their garbage every few seconds. Left to
 * itself V8 lets it lie for half an hour where memory is plenty, and what is really held cannot be told from it.
 */
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('Run it with --expose-gc');
setInterval(collect, 5_000).unref();
