import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { TemplateAccess } from '../../whatsapp/template-calls.ts'

/** An account and its token; that of the default number unless one is named. */
export type AccessOf = (scope: WorkspaceScope, accountId?: string) => Promise<TemplateAccess | undefined>

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
