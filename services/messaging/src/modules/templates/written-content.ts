import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { TemplateAccess } from '../../whatsapp/template-calls.ts'

/** Counted links begin with our address, whichever one was sent. @throws `validation_failed` where there is none. */
export function withAddress(content: TemplateContent, address: string | undefined): TemplateContent {
  const isCounted = (button: TemplateContent['buttons'][number]) =>
    button.kind === 'url' && button.tracked !== undefined
  if (!content.buttons.some(isCounted)) return content
  if (address === undefined)
    throw errors.validation({ buttons: 'Visits cannot be counted because no link address is set up.' })
  return {
    ...content,
    buttons: content.buttons.map((button) => (isCounted(button) ? { ...button, tracked: address } : button)),
  }
}

/** Omits parts that a member left empty. */
export const present = ({ header, footer, ...content }: TemplateContent) => ({
  ...content,
  ...(header && { header }),
  ...(footer && { footer }),
})

/** An account and its token; that of the default number unless one is named. */
type AccessOf = (scope: WorkspaceScope, accountId?: string) => Promise<TemplateAccess | undefined>

/** The account that a template is written for. @throws `validation_failed` or `wrong_state` where no number of it is connected. */
export async function reachAccount(
  accessOf: AccessOf,
  scope: WorkspaceScope,
  accountId: string | undefined,
): Promise<TemplateAccess> {
  const access = await accessOf(scope, accountId)
  if (!access && accountId !== undefined)
    throw errors.validation({ accountId: 'No number of this account is connected.' })
  if (!access)
    throw errors.wrongState(
      'No number is connected yet. WhatsApp reviews templates for the account of a connected number.',
    )
  return access
}

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
