import type { TemplateUsage } from '@parley/contracts/templates/template-checks'

/** A campaign that is to send a template, or a draft of one, and what it fills in. */
export interface UseOfTemplate extends Pick<TemplateUsage, 'id' | 'name' | 'status'> {
  readonly variables: Readonly<Record<string, unknown>>
}
