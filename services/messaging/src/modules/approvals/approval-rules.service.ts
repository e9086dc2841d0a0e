import {
  type ApprovalRules,
  defaultApprovalRules,
  minDeciders,
  ownersSetPrices,
} from '@parley/contracts/platform/approvals'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { storeSetting } from '@parley/service-kit/data/store-setting'
import type { ActorContext } from '@parley/service-kit/http/context'
import type { AskPeople } from '../../platform/member-facts.ts'
import { type ApprovalRulesRecord, approvalRulesSchema } from './approvals.model.ts'

export type ApprovalRulesService = ReturnType<typeof createApprovalRules>

/** Stores which actions need the approval of a second member. */
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
    const isLimited = Object.values(rules).some((rule) => rule !== null && rule !== false)
    if (isLimited && (await askPeople(scope)).deciders.length < minDeciders)
      throw errors.wrongState('Only you can decide on approvals. Invite another owner or admin first.')
    const changed = await storeSetting(records(scope), version, rules)
    if (!changed) throw errors.staleVersion(await read(scope))
    return shown(changed)
  }

  /**
   * Prices decide which campaigns need an approval because of their cost: while any does, who may not lift that rule may not get around it
   * by them. @throws `forbidden`.
   */
  async function checkPriceChange(ctx: WorkspaceScope & Pick<ActorContext, 'may'>): Promise<void> {
    if (!ctx.may('approvals:write') && (await read(ctx)).campaignCost !== null) throw errors.forbidden(ownersSetPrices)
  }

  return { read, update, checkPriceChange }
}

/** Rules of older versions have fewer fields. */
function shown(record: ApprovalRulesRecord): ApprovalRules {
  const { campaignRecipients, campaignCost = null, exportedContacts = null, deletedContacts = null } = record
  const { numberRemoval = false, version } = record
  return { campaignRecipients, campaignCost, exportedContacts, deletedContacts, numberRemoval, version }
}
