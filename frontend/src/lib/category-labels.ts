import type { Template } from '@parley/contracts/templates/templates'

/** Names of the template categories. */
export const categoryLabels: Readonly<Record<Template['category'], string>> = {
  marketing: 'Marketing',
  utility: 'Utility',
  authentication: 'Authentication',
}
