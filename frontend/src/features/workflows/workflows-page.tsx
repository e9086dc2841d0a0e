import { Page } from '../../ui/page.tsx'

/** Specification section 2, Workflows. */
export function WorkflowsPage() {
  return <Page>{null}</Page>
}
