import { type ApprovalRules, defaultApprovalRules, minDeciders } from '@parley/contracts/campaigns/approvals'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import type { AskPeople } from '../../../platform/member-facts.ts'
import { type ApprovalRulesRecord, approvalRulesSchema } from './approvals.model.ts'

/** Stores which launches need the approval of a second member. */
export function createApprovalRules({ mongo, askPeople }: { mongo: ServiceConnection; askPeople: AskPeople }) {
  const records = workspaceCollection<ApprovalRulesRecord>({
    connection: mongo,
    name: 'approvalRules',
    schema: approvalRulesSchema,
  })

  async function read(scope: WorkspaceScope): Promise<ApprovalRules> {
    const record = await records(scope).findOne({}, { hint: 'workspace' })
    return record ? shown(record) : defaultApprovalRules
  }

  /** @throws `stale_version`; `wrong_state` where nobody could decide, `service_unavailable` where that cannot be known. */
  async function update(scope: WorkspaceScope, { version, ...rules }: ApprovalRules): Promise<ApprovalRules> {
    if (rules.campaignRecipients !== null && (await askPeople(scope)).deciders.length < minDeciders)
      throw errors.wrongState('Only you can approve launches. Invite another owner or admin first.')
    const changed = await storeSetting(records(scope), version, rules)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  return { read, update }
}

const shown = ({ campaignRecipients, version }: ApprovalRulesRecord): ApprovalRules => ({ campaignRecipients, version })
