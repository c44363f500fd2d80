import type { Style } from '@signpost/qr';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { NewCodeForm } from './new-code-form.tsx';
import { codeQuery } from './queries.ts';

const route = getRouteApi('/inside/codes/new');

/** An empty form, or one that is filled in with another code. */
export function NewCodePage() {
  const { from } = route.useSearch();
  return (
    <Page title={codesText.newCode}>
      {from ? (
        <CopyOf id={from} key={from} />
      ) : (
        <NewCodeForm initial={{ name: '', destination_url: '', short_code: '', style: {} as Style }} />
      )}
    </Page>
  );
}

function CopyOf({ id }: { readonly id: string }) {
  const mode = useMode();
  const query = useQuery(codeQuery(mode, id));
  return (
    <QueryView query={query}>
      {({ name, destination_url, style }) => (
        <NewCodeForm
          initial={{
            name: codesText.form.copyOf(name).slice(0, 255),
            destination_url,
            short_code: '',
            style,
          }}
        />
      )}
    </QueryView>
  );
}
