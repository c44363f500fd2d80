import { dropTestDatabases } from './database.ts';

/** Before the integration tests: away with what the last run left. */
export default () => dropTestDatabases();
