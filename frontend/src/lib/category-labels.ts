import type { Template } from '@parley/contracts/templates/templates'
import type { Rate } from '@parley/contracts/usage/rate-cards'

/** Names of the template categories. */
export const categoryLabels: Readonly<Record<Template['category'], string>> = {
  marketing: 'Marketing',
  utility: 'Utility',
  authentication: 'Authentication',
}

/** Names of the categories that have a price. */
export const rateLabels: Readonly<Record<Rate['category'], string>> = {
  ...categoryLabels,
  authentication_international: 'Authentication from abroad',
  service: 'Service (replies)',
}
