import { Page } from '../../ui/page.tsx'

/** Specification section 2, Templates. */
export function TemplatesPage() {
  return <Page>{null}</Page>
}
