import type { Template } from '@parley/contracts/templates/templates'

/** What the categories of templates are called. */
export const categoryLabels: Readonly<Record<Template['category'], string>> = {
  marketing: 'Marketing',
  utility: 'Utility',
  authentication: 'Authentication',
}
