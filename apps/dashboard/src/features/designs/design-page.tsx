import type { Design } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Mode, useMode } from '../../api/mode.ts';
import { designsText } from '../../strings/designs.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { DesignForm, type DesignValues } from './design-form.tsx';
import { designsQuery } from './queries.ts';

const text = designsText.editor;

/** A new design, from nothing or from another one. */
export function NewDesignPage() {
  const { from } = getRouteApi('/inside/designs/new').useSearch();
  const query = useQuery(designsQuery(useMode()));
  return (
    <Page title={text.newTitle}>
      <QueryView query={query}>
        {designs => (
          <DesignForm id={null} initial={copyOf(designs.find(({ id }) => id === from))} key={from ?? ''} />
        )}
      </QueryView>
    </Page>
  );
}

/** One design, to be changed. */
export function DesignPage() {
  const { id } = getRouteApi('/inside/designs/$id').useParams();
  const mode = useMode();
  const query = useQuery(designsQuery(mode));
  return (
    <QueryView query={query}>
      {designs => {
        const design = designs.find(one => one.id === id);
        if (!design) return <NoSuchDesign mode={mode} />;
        return (
          <Page title={design.name} description={text.note}>
            <DesignForm id={id} initial={valuesOf(design)} key={design.updated_at} />
          </Page>
        );
      }}
    </QueryView>
  );
}

const valuesOf = ({ name, style, frame, is_default }: Design): DesignValues => ({
  name,
  style,
  frame,
  isDefault: is_default,
});

const copyOf = (design: Design | undefined): DesignValues =>
  design
    ? { ...valuesOf(design), name: text.copyOf(design.name).slice(0, 100), isDefault: false }
    : { name: '', style: {}, frame: null, isDefault: false };

function NoSuchDesign({ mode }: { readonly mode: Mode }) {
  return (
    <Page title={text.missingTitle}>
      <Empty title={text.missingHeadings[mode]} action={<LinkButton to="/designs">{text.all}</LinkButton>}>
        {text.missingText}
      </Empty>
    </Page>
  );
}
