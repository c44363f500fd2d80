import { shellText } from '../../strings/shell.ts';
import { useMe } from './me.ts';

/** Why somebody cannot make or change anything at present, in a sentence; undefined where they can. */
export function useRefusal(): string | undefined {
  const { suspension } = useMe().account;
  return suspension ? shellText.suspended : undefined;
}
