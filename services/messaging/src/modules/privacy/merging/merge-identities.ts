import { haveTwoAccounts } from '@parley/contracts/contacts/contact-merge'
import { isNamed } from '@parley/rules/contact-name'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactRecord } from '../../contacts/contacts.service.ts'
import { type Account, withOnePhone } from './merged-fields.ts'
import type { createMerging } from './merging.service.ts'

/**
 * WhatsApp has told two identities of one person, which two contacts have: they are merged, unless something speaks against it. A number
 * that is known with another user id has changed hands.
 * @param account how they are reached from now on, where a notice has told it: then nothing speaks against it.
 */
export async function mergeIdentities(
  merging: Pick<ReturnType<typeof createMerging>, 'merge'>,
  { workspaceId }: WorkspaceScope,
  { kept, other, account }: { kept: ContactRecord; other: ContactRecord; account?: Account | undefined },
): Promise<void> {
  if (!kept.live || !other.live || kept.id === other.id) return
  if (!account && haveTwoAccounts(...withOnePhone<Account>(kept, other, false))) return
  const taken = { name: !isNamed(kept) && isNamed(other), account: false, attributes: [] }
  const versions = { version: kept.version, otherVersion: other.version }
  await merging
    .merge({ workspaceId }, kept.id, { otherId: other.id, taken, ...versions }, { account })
    .catch((error: unknown) => {
      // People decide, or the next message does.
      if (!(error instanceof AppError)) throw error
    })
}
