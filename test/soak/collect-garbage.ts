/**
 * Loaded into the processes of the soak, which run with --expose-gc: collects garbage every few seconds. Left to itself V8
 * keeps garbage for half an hour where memory is plentiful, and a leak cannot be told apart from it.
 */
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('Run it with --expose-gc');
setInterval(collect, 5_000).unref();
