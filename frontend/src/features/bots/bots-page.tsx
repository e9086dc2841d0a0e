import { Page } from '../../ui/page.tsx'

/** Specification section 2, Bot Flows. */
export function BotsPage() {
  return <Page>{null}</Page>
}
