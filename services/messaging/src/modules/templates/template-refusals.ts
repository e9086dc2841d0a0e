import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import { AppError } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'

/** @param remedy what is to be done with those campaigns first. */
export function inUse(name: string, campaigns: readonly TemplateUse[], remedy: string): AppError {
  const named = campaigns.slice(0, 3).map((campaign) => campaign.name)
  const more = campaigns.length - named.length
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const what = campaigns.length === 1 ? 'A campaign sends it' : 'Campaigns send it'
  const which = campaigns.length === 1 ? 'that campaign' : 'those campaigns'
  return new AppError('template_in_use', `${name} is in use. ${what}: ${all}. ${remedy} ${which} first.`)
}

/** Reports a name that is in use beside its field. */
export function refuseTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error
  const message = 'There is already a template of this name in this language.'
  throw new AppError('template_exists', message, { fields: { name: message } })
}
