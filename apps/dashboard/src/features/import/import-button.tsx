import { importText } from '../../strings/import.ts';
import { LinkButton } from '../../ui/router-link.tsx';

/** The way to the import, from the list of codes. */
export function ImportButton() {
  return (
    <LinkButton to="/codes/import" variant="default">
      {importText.button}
    </LinkButton>
  );
}
